// Any two systems, segment by segment: filtered, sorted, a page of them at a time, words compared.
(() => {
  const PAGE = 20;
  const LONGEST = 20000; // characters of two texts beyond which their words are not compared

  // -- words that two texts share: the longest common run, then left and right of it, as Python does --

  const LOOKS = 1000000; // pairs of words that are looked at; beyond, only ends are compared

  // Where a number would stand in a sorted list.
  const placeOf = (sorted, number) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < number) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  // A run of words is its places in both texts and its length; a part of two texts is where it begins and ends in each.
  // The first of the longest runs, or null when there are no looks left.
  /** @type {(a: string[], places: Map<string, number[]>, part: number[], left: { looks: number }) => number[] | null} */
  const longest = (a, places, [alo, ahi, blo, bhi], left) => {
    let [besti, bestj, size] = [alo, blo, 0];
    let lengths = new Map();
    for (let i = alo; i < ahi; i += 1) {
      const there = places.get(a[i]) ?? [];
      const [begin, end] = [placeOf(there, blo), placeOf(there, bhi)];
      left.looks -= 1 + end - begin;
      if (left.looks < 0) {
        left.looks = 0;
        return null;
      }
      const next = new Map();
      for (let k = begin; k < end; k += 1) {
        const j = there[k];
        const run = (lengths.get(j - 1) ?? 0) + 1;
        next.set(j, run);
        if (run > size) [besti, bestj, size] = [i - run + 1, j - run + 1, run];
      }
      lengths = next;
    }
    return [besti, bestj, size];
  };

  /** @type {(a: string[], b: string[], part: number[]) => number[][]} */
  const ends = (a, b, [alo, ahi, blo, bhi]) => {
    const most = Math.min(ahi - alo, bhi - blo);
    let [head, tail] = [0, 0];
    while (head < most && a[alo + head] === b[blo + head]) head += 1;
    while (tail < most - head && a[ahi - 1 - tail] === b[bhi - 1 - tail]) tail += 1;
    return [[alo, blo, head], [ahi - tail, bhi - tail, tail]].filter(([, , size]) => size);
  };

  /** @type {(a: string[], b: string[]) => number[][]} */
  const shared = (a, b) => {
    /** @type {Map<string, number[]>} */
    const places = new Map();
    b.forEach((word, j) => {
      const there = places.get(word);
      if (there) there.push(j);
      else places.set(word, [j]);
    });
    const found = [];
    const isSame = a.length === b.length && a.every((word, i) => word === b[i]);
    const left = { looks: isSame ? 0 : LOOKS };
    const open = [[0, a.length, 0, b.length]];
    for (let part = open.pop(); part; part = open.pop()) {
      const [alo, ahi, blo, bhi] = part;
      const run = longest(a, places, part, left);
      if (run === null) {
        found.push(...ends(a, b, part));
        continue;
      }
      const [i, j, size] = run;
      if (!size) continue;
      found.push(run);
      if (alo < i && blo < j) open.push([alo, i, blo, j]);
      if (i + size < ahi && j + size < bhi) open.push([i + size, ahi, j + size, bhi]);
    }
    return found.sort((one, two) => one[0] - two[0]);
  };

  const bare = (pieces) => pieces.map((piece) => piece.trim());

  // The pieces of a text in runs: "same", "added" where the other lacks them, "missing" ones of it.
  const runs = (text, other) => {
    const found = [];
    const add = (kind, pieces) => {
      const words = pieces.join("");
      if (!pieces.length) return;
      if (kind === "same" && found.length && found.at(-1)[0] === "same") found.at(-1)[1] += words;
      else found.push([kind, kind === "missing" ? words.trim() : words]);
    };
    let [i, j] = [0, 0];
    for (const [ai, bj, size] of [...shared(bare(text), bare(other)), [text.length, other.length, 0]]) {
      add("added", text.slice(i, ai));
      add("missing", other.slice(j, bj));
      add("same", text.slice(ai, ai + size));
      [i, j] = [ai + size, bj + size];
    }
    return found;
  };

  const ratio = (one, two) => {
    const matched = shared(bare(one), bare(two)).reduce((sum, [, , size]) => sum + size, 0);
    const total = one.length + two.length;
    return total ? (2 * matched) / total : 1;
  };

  const nearest = (text, others) => {
    const ratios = others.map((other) => ratio(other, text));
    return others[ratios.indexOf(Math.max(...ratios))];
  };

  // -- elements ------------------------------------------------------------------------------------

  const element = (name, kind, ...content) => {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(...content);
    return made;
  };
  const size = (pieces) => pieces.reduce((sum, piece) => sum + piece.length, 0);
  const TAGS = { added: "ins", missing: "del" };
  const marked = (text, other) => {
    if (!other || size(text) + size(other) > LONGEST) return [text.join("")];
    return runs(text, other).flatMap(([kind, words]) => {
      if (kind === "same") return [words];
      const kept = words.trimEnd();
      return [element(TAGS[kind], "", kept), words.slice(kept.length)];
    });
  };
  const signed = (value, digits) => (value > 0 ? "+" : "") + value.toFixed(digits).replace("-", "\u2212");

  // A text and the lengths of its pieces, a character each, as its pieces.
  const pieces = ([text, lengths]) => {
    let end = 0;
    return Array.from(lengths, (length) => text.slice(end, (end += length.codePointAt(0) - 0x5d)));
  };

  // -- one view ------------------------------------------------------------------------------------

  const start = (view) => {
    const data = JSON.parse(view.querySelector("script").textContent);
    data.references = data.references.map((some) => some.map(pieces));
    data.texts = data.texts.map((some) => some.map(pieces));
    const find = (name) => view.querySelector("." + name);
    const list = find("pair-list");
    const field = (name) => find("pair-" + name);
    const state = { page: 0, rows: [] };
    const number = (name) => {
      const value = parseFloat(field(name).value.replace(",", "."));
      return isNaN(value) ? null : value;
    };
    /** @type {(value: number | null, low: number | null, high: number | null) => boolean} */
    const within = (value, low, high) =>
      (low === null && high === null) ||
      (value !== null && (low === null || value >= low) && (high === null || value <= high));

    const systems = () => [Number(field("first").value), Number(field("second").value)];
    /** @type {(m: number, i: number, pair: number[]) => number | null} */
    const apart = (m, i, [one, two]) => {
      const [a, b] = [data.scores[m][one][i], data.scores[m][two][i]];
      return a === null || b === null ? null : a - b;
    };
    const texts = data.ids.map((id, i) =>
      [id, data.sources[i], ...data.references[i].map((one) => one.join("")),
        ...data.texts[i].map((one) => one.join(""))].join("\n").toLowerCase());

    const isShown = (pair, m, words) => {
      const [least, most] = [number("least"), number("most")];
      const [from, to] = [number("from"), number("to")];
      const [low, high] = [number("low"), number("high")];
      const [domain, text] = [field("domain").value, field("document").value.trim().toLowerCase()];
      return (i) => {
        const scores = pair.map((system) => data.scores[m][system][i]);
        return (
          (domain === "" || data.domains[i] === domain) &&
          (data.documents[i] ?? "").toLowerCase().includes(text) &&
          within(data.words[i], least, most) &&
          within(apart(m, i, pair), from, to) &&
          ((low === null && high === null) || scores.some((score) => within(score, low, high))) &&
          words.every((word) => texts[i].includes(word))
        );
      };
    };

    const keyOf = (pair, m) => {
      const better = (i) => {
        const value = apart(m, i, pair);
        return value === null ? null : value * data.metrics[m].sign;
      };
      return {
        size: (i) => {
          const value = better(i);
          return value === null ? -Infinity : Math.abs(value) * data.weights[i];
        },
        first: (i) => better(i) ?? -Infinity,
        second: (i) => -(better(i) ?? Infinity),
        place: (i) => -data.places[i],
      }[field("sort").value];
    };

    const scoresOf = (i, system) =>
      data.metrics
        .map((metric, m) => [metric, data.scores[m][system][i]])
        .filter(([, value]) => value !== null)
        .map(([metric, value]) => `${metric.name} ${value.toFixed(metric.digits)}`)
        .join(" \u00b7 ");

    const entry = (label, language, ...content) => {
      const given = element("dd", "", ...content);
      given.dir = "auto";
      if (language) given.lang = language;
      return [element("dt", "", label), given];
    };

    const card = (i) => {
      const pair = systems();
      const text = (system) => data.texts[i][data.outputs[i][system]];
      const made = element("details", "segment");
      made.open = true;
      const head = element("summary", "", element("b", "", `Segment ${data.ids[i]}`));
      const origin = [data.domains[i], data.documents[i]].filter((one) => one).join(" / ");
      if (origin) head.append(" ", element("span", "", origin));
      data.metrics.forEach((metric, m) => {
        const value = apart(m, i, pair);
        if (value !== null) head.append(" ", element("span", "", `${metric.name} ${signed(value, metric.digits)}`));
      });
      const body = element("dl", "");
      if (data.sources[i]) body.append(...entry("source", data.languages[0], data.sources[i]));
      data.references[i].forEach((reference, n) =>
        body.append(...entry(data.references[i].length > 1 ? `reference ${n + 1}` : "reference",
          data.languages[1], reference.join(""))));
      pair.forEach((system, n) => {
        const against = field("marks").value === "other" ? text(pair[1 - n])
          : data.references[i].length ? nearest(text(system), data.references[i]) : null;
        const label = `${data.systems[system]}: ${scoresOf(i, system)}`;
        body.append(...entry(label, data.languages[1], ...marked(text(system), against)));
      });
      made.append(head, body);
      return made;
    };

    const show = () => {
      const pages = Math.max(1, Math.ceil(state.rows.length / PAGE));
      state.page = Math.min(Math.max(0, state.page), pages - 1);
      const shown = state.rows.slice(state.page * PAGE, (state.page + 1) * PAGE);
      list.replaceChildren(...shown.map(card));
      field("count").textContent =
        `${state.rows.length.toLocaleString("en")} of ${data.ids.length.toLocaleString("en")} segments`;
      for (const place of view.querySelectorAll(".pair-page")) {
        place.textContent = `page ${state.page + 1} of ${pages}`;
      }
      for (const button of view.querySelectorAll(".pair-back")) button.disabled = state.page === 0;
      for (const button of view.querySelectorAll(".pair-on")) button.disabled = state.page === pages - 1;
    };

    const table = () => {
      const place = find("pair-table");
      if (!place) return;
      const [one, two] = systems();
      const tests = data.tests[`${Math.min(one, two)},${Math.max(one, two)}`] ?? [];
      const sign = one < two ? 1 : -1;
      const row = (cells, kind) => element("tr", "", ...cells.map((cell, n) =>
        element(kind, n ? "right" : "name", cell)));
      const body = element("tbody", "");
      data.metrics.forEach((metric, m) => {
        if (!tests[m]) return;
        const [a, b, low, high, p, needed] = tests[m];
        const digits = metric.digits + 1;
        const interval = low === null ? "-"
          : `[${(sign > 0 ? [low, high] : [-high, -low]).map((end) => signed(end, digits)).join(", ")}]`;
        const scores = (sign > 0 ? [a, b] : [b, a]).map((score) => score.toFixed(digits));
        body.append(row([metric.name, ...scores, signed(sign * (a - b), digits), interval,
          p === null ? "-" : p.toFixed(4), needed === null ? "-" : needed.toLocaleString("en")], "td"));
      });
      const heads = ["metric", data.systems[one], data.systems[two], "difference", "interval", "p", "needed"];
      place.replaceChildren(element("table", "", element("thead", "", row(heads, "th")), body));
      if (place.scrollWidth > place.clientWidth) place.tabIndex = 0; // so that arrow keys scroll it
    };

    const choose = () => {
      const [pair, m] = [systems(), Number(field("metric").value)];
      const words = field("search").value.toLowerCase().split(/\s+/).filter((word) => word);
      const key = keyOf(pair, m);
      const isSame = pair[0] === pair[1];
      const every = isSame ? [] : data.ids.map((_, i) => i).filter(isShown(pair, m, words));
      const keys = new Map(every.map((i) => [i, key(i)]));
      state.rows = every.sort((i, j) => keys.get(j) - keys.get(i) || data.places[i] - data.places[j]);
      state.page = 0;
      table();
      show();
    };

    const turn = (by) => () => {
      state.page += by;
      show();
      list.scrollIntoView({ block: "nearest" });
      (list.querySelector("summary") ?? list).focus({ preventScroll: true });
    };
    for (const name of ["search", "document", "least", "most", "from", "to", "low", "high"]) {
      field(name).addEventListener("input", choose);
    }
    for (const name of ["first", "second", "domain", "metric", "sort"]) {
      field(name).addEventListener("change", choose);
    }
    field("marks").addEventListener("change", show);
    field("swap").addEventListener("click", () => {
      [field("first").value, field("second").value] = [field("second").value, field("first").value];
      choose();
    });
    for (const button of view.querySelectorAll(".pair-back")) button.addEventListener("click", turn(-1));
    for (const button of view.querySelectorAll(".pair-on")) button.addEventListener("click", turn(1));
    for (const part of view.querySelectorAll(".filters, .pager")) part.hidden = false;
    choose();
    view.runs = runs; // what tests call
    view.nearest = nearest;
  };
  for (const view of document.querySelectorAll(".pair-view")) start(view);
})();
