// What of the page does not fit its window, a sentence each; of every kind the worst *named* only.
(named) => {
  const root = document.documentElement;
  const style = (one) => getComputedStyle(one);
  const isShown = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && style(one).clipPath === "none";
  const name = (one) => {
    const said = (one.innerText || one.textContent || one.value || one.placeholder || "").trim().replace(/\s+/g, " ");
    const names = [...one.classList].map((word) => `.${word}`).join("");
    return `<${one.localName}${one.id && `#${one.id}`}${names}> ${JSON.stringify(said.slice(0, 40))}`;
  };
  const worst = (offenders, words) =>
    offenders
      .filter(([, by]) => by > 1)
      .sort((a, b) => b[1] - a[1])
      .slice(0, named)
      .map(([one, by, other]) => `${name(one)} ${words(Math.round(by), other)}`);

  // behind a window nothing can be used, and it was looked at before
  const front = document.querySelector("dialog:modal") ?? document.body;
  const all = [front, ...front.querySelectorAll("*")].filter(isShown);
  const drawn = all.filter((one) => !one.ownerSVGElement);

  function* above(one) {
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) yield up;
  }
  const cutting = new Set(all.filter((one) => style(one).overflowX !== "visible"));
  const isCut = (one) => above(one).some((up) => cutting.has(up));

  // beyond the edges of the window, unless something around it scrolls or cuts by itself
  const overhang = (one) => {
    const box = one.getBoundingClientRect();
    return box.width && box.height ? Math.max(box.right - root.clientWidth, -box.left) : 0;
  };
  const beyond = drawn.filter((one) => !isCut(one)).map((one) => [one, overhang(one)]);

  // scrolls sideways though it is not meant to: only tables, pictures and listings are
  const isMeant = (one) => one.matches(".scroll, pre, input, textarea, select") || style(one).textOverflow === "ellipsis";
  const scrolling = drawn
    .filter((one) => cutting.has(one) && !isMeant(one))
    .map((one) => [one, one.scrollWidth - one.clientWidth]);

  // the boxes of all lines of text, as far as nothing around them cuts them
  const lines = (one) => {
    const range = document.createRange();
    const nodes = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return nodes.flatMap((node) => (range.selectNodeContents(node), [...range.getClientRects()]));
  };
  const seen = (box, one) => {
    let { left, right, top, bottom } = box;
    for (const up of [one, ...above(one)].filter((up) => cutting.has(up))) {
      const edge = up.getBoundingClientRect();
      [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
      [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { left, right, top, bottom };
  };

  // text that runs out of the button or the picture that it belongs to
  const CONTROLS = "button, .button, summary, kbd, .badge, .chip-face, nav a, svg";
  const runsOut = (control) => {
    const edge = control.getBoundingClientRect();
    const beyondIt = (box) =>
      Math.max(edge.left - box.left, box.right - edge.right, edge.top - box.top - 2, box.bottom - edge.bottom - 2);
    const inside = [control, ...control.querySelectorAll("*")].filter(isShown);
    return Math.max(0, ...inside.flatMap(lines).map(beyondIt));
  };
  const out = all.filter((one) => one.matches(CONTROLS)).map((one) => [one, runsOut(one)]);

  // text over other text; what floats over the page may cover it
  const floating = new Set(all.filter((one) => /fixed|sticky|absolute/.test(style(one).position)));
  const layer = (one) => [one, ...above(one)].find((up) => floating.has(up));
  const texts = drawn.flatMap((one) => lines(one).map((box) => ({ one, layer: layer(one), ...seen(box, one) })));
  texts.sort((a, b) => a.top - b.top);
  const over = texts.flatMap((a, i) => {
    const found = [];
    for (let j = i + 1; j < texts.length && texts[j].top < a.bottom; j += 1) {
      const b = texts[j];
      const high = Math.min(a.bottom, b.bottom) - b.top;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      if (a.layer === b.layer && a.one !== b.one && high > 6) found.push([a.one, wide, b.one]);
    }
    return found;
  });

  // fields: how wide they would have to be for what we write in them; what people write may scroll
  const pen = document.createElement("canvas").getContext("2d");
  const room = (one) => one.clientWidth - parseFloat(style(one).paddingLeft) - parseFloat(style(one).paddingRight);
  const hint = (one) => {
    pen.font = style(one).font;
    return pen.measureText(one.placeholder).width - room(one);
  };
  const choice = (one) => {
    const alone = one.cloneNode(false);
    alone.append(one.selectedOptions[0].cloneNode(true));
    alone.style.cssText = "position: absolute; visibility: hidden; width: max-content";
    one.after(alone);
    const needed = alone.offsetWidth;
    alone.remove();
    return needed - one.offsetWidth;
  };
  const cut = [
    ...drawn.filter((one) => one.matches("input[placeholder]")).map((one) => [one, hint(one)]),
    ...drawn.filter((one) => one.matches("select")).map((one) => [one, choice(one)]),
  ];

  const tooWide = root.scrollWidth - root.clientWidth;
  return [
    ...(tooWide > 0 ? [`the page is ${tooWide} px too wide`] : []),
    ...worst(beyond, (by) => `reaches ${by} px beyond the window`),
    ...worst(scrolling, (by) => `scrolls sideways, by ${by} px`),
    ...worst(out, (by) => `has text that runs out by ${by} px`),
    ...worst(over, (by, other) => `lies over ${name(other)} by ${by} px`),
    ...worst(cut, (by) => `cuts off ${by} px of what is written in it`),
  ];
}
