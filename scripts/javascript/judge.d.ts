// What the judge's page is given and passes between its modules. The page's elements are those of
// templates/judge; a test holds the two together.

/** The elements that scripts look for, by id. */
interface PageElements {
  "back-button": HTMLButtonElement;
  banners: HTMLDivElement;
  before: HTMLDivElement;
  after: HTMLDivElement;
  boot: HTMLScriptElement;
  bottom: HTMLElement;
  comment: HTMLDialogElement;
  "comment-button": HTMLButtonElement;
  "comment-text": HTMLTextAreaElement;
  "comment-words": HTMLSpanElement;
  context: HTMLButtonElement;
  "context-words": HTMLSpanElement;
  differences: HTMLButtonElement;
  "differences-picker": HTMLSpanElement;
  feedback: HTMLDivElement;
  "feedback-go": HTMLButtonElement;
  "feedback-text": HTMLParagraphElement;
  guidelines: HTMLDialogElement;
  "guidelines-button": HTMLButtonElement;
  help: HTMLDialogElement;
  "help-button": HTMLButtonElement;
  "help-hint": HTMLParagraphElement;
  hint: HTMLParagraphElement;
  history: HTMLDialogElement;
  "history-empty": HTMLParagraphElement;
  "history-rows": HTMLUListElement;
  "judge-tools": HTMLDivElement;
  "key-rows": HTMLTableSectionElement;
  "keys-on": HTMLInputElement;
  larger: HTMLButtonElement;
  layout: HTMLButtonElement;
  "leave-revision": HTMLButtonElement;
  live: HTMLDivElement;
  "menu-button": HTMLButtonElement;
  missing: HTMLSpanElement;
  "not-started": HTMLParagraphElement;
  notice: HTMLElement;
  "notice-actions": HTMLDivElement;
  "notice-note": HTMLParagraphElement;
  "notice-text": HTMLParagraphElement;
  "notice-title": HTMLHeadingElement;
  outputs: HTMLDivElement;
  pace: HTMLSpanElement;
  pause: HTMLDialogElement;
  "pause-button": HTMLButtonElement;
  "pause-total": HTMLParagraphElement;
  "preview-after": HTMLButtonElement;
  "preview-before": HTMLButtonElement;
  "preview-place": HTMLElement;
  "progress-bar": HTMLProgressElement;
  "progress-text": HTMLSpanElement;
  question: HTMLHeadingElement;
  reference: HTMLElement;
  "reference-block": HTMLDivElement;
  "revision-note": HTMLDivElement;
  saved: HTMLSpanElement;
  "show-hidden": HTMLInputElement;
  "sign-in": HTMLDialogElement;
  "sign-in-form": HTMLFormElement;
  "sign-in-later": HTMLButtonElement;
  "sign-in-link": HTMLInputElement;
  "sign-in-wrong": HTMLParagraphElement;
  "sign-out": HTMLFormElement;
  skip: HTMLDialogElement;
  "skip-button": HTMLButtonElement;
  "skip-form": HTMLFormElement;
  smaller: HTMLButtonElement;
  source: HTMLElement;
  "source-asset": HTMLDivElement;
  "source-panel": HTMLElement;
  "step-back": HTMLButtonElement;
  submit: HTMLButtonElement;
  "submit-words": HTMLSpanElement;
  summary: HTMLSpanElement;
  task: HTMLDivElement;
  tools: HTMLSpanElement;
  undo: HTMLButtonElement;
  "undo-bar": HTMLDivElement;
  "undo-said": HTMLSpanElement;
}
type PageId = keyof PageElements;
type DialogId = "comment" | "guidelines" | "help" | "history" | "pause" | "sign-in" | "skip";

/** An error in a text: a place in it, or (isMark) a mark for what has none. */
interface Span {
  start: number;
  end: number;
  mark?: string;
  severity: string | null;
  category?: string | null;
}

/** A picture, sound or video of a source, as the server sends it. */
interface Asset {
  key: string;
  kind: "image" | "audio" | "video";
  words: string;
}

/** A segment of a document as the server sends it. */
interface DocumentRow {
  source: string;
  asset: Asset | null;
  reference: string | null;
  outputs: string[];
  given?: Span[][];
}

/** A screen as the server sends it (server.records.JudgeTask). */
interface Task {
  token: string;
  role: string;
  source: string | null;
  asset: Asset | null;
  reference: string | null;
  before: string[];
  after: string[];
  outputs: string[];
  rows: DocumentRow[];
  told: number | null;
  supersedes: string | null;
  draft: any;
  draft_version: number;
  created_at: number;
  expires_at: number;
  now: number;
}

/** What of the plan a judge's page needs. */
interface Plan {
  protocol: string;
  source_language: string;
  target_language: string;
  sitting: number;
  single_pass: boolean;
  show_value: boolean;
  highlight: boolean;
  assets: string;
  source_unit: string;
  unit: string;
  by_document?: boolean;
  spans: SpanRules;
  sliders?: Slider[];
  comments?: number;
  edits?: number;
}

interface SpanRules {
  unit: string;
  severities: string[];
  marks: string[];
  categories: [string, string[]][];
  weights: Record<string, number>;
  overlap: boolean;
}

interface Slider {
  name: string;
  low: number;
  high: number;
  step: number;
  anchors: { at: number; words: string }[];
}

/** What the page keeps of one text of a document. */
interface Cell {
  spans: Span[];
  score: number | null;
  isClean: boolean;
  sliders: Record<string, number | null>;
  comment: string;
  edit: string | null;
}

/** What is said about one segment where nothing is marked: the kind of the plan's protocol decides. */
type Said = Record<string, any>;

/** What the controls of one segment are made of; say() keeps what is said. */
interface KindOptions {
  row: number;
  size: number;
  plan: Plan;
  say(said: Said, kind?: string): void;
}

/** A part of a text that can be marked. */
interface Unit {
  text: string;
  start: number;
  end: number;
  isSpace: boolean;
}

/** A text whose places light up with those of others. */
interface EchoText {
  element: HTMLElement;
  units: Unit[];
  parts: HTMLElement[];
  rules?: { severities: string[] };
}

/** What a judge set for the page. */
interface Likings {
  size: number;
  layout: string;
  keys: boolean;
  hidden: boolean;
  keymap: Record<string, string>;
}

/** A key as protocols see it. */
interface Press {
  key: string;
  shiftKey: boolean;
  target: any;
}

/** What the frame asks of the cards of a protocol. */
interface Shown {
  texts: string[];
  all: { element: HTMLElement }[];
  chosen: number | null;
  draw(view?: { showHidden?: boolean; marks?: Record<number, Mark[]> }): void;
}

interface Mark {
  text: string;
  changed: boolean;
  missing?: string;
}

/** One screen of a protocol: what stands in protocols/. */
interface Protocol {
  question: string;
  hint: string;
  letters: number;
  tools: HTMLElement[];
  cards: Shown;
  element: HTMLElement;
  summary: string;
  missing: { sentence: string; focus(): void } | null;
  answer: object;
  details: object;
  content: object;
  isDocument?: boolean;
  canShelve?: boolean;
  hidesSource?: boolean;
  steps?: { next: string | null; back: string | null };
  key(press: Press): boolean | void;
  restore(content: any): void;
  arrange?(): void;
  go?(step: string): void;
}

interface ProtocolOptions {
  task: Task;
  plan: Plan;
  changed(): void;
  view(): Likings;
}

/** A button of a banner or a notice: its words, what it does, whether it is the usual one. */
type Action = [words: string, run: () => any, isPrimary?: boolean];

/** A ranking while it is made; state.js works on it. */
interface RankingState {
  ranks: (number | null)[];
  last: number | null;
  allEqual: boolean;
}

/** A draft on its way. */
interface Draft {
  token: string;
  version: number;
  content: any;
  saved: number;
}
