// What the pages' scripts add to a browser's window.
interface Window {
  /** base.js: true if the text is on the clipboard now. */
  rankwiseCopied(text: string): Promise<boolean>;
}
