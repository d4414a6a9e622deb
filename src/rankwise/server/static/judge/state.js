// The state of one ranking, without any page. A rank is a number from 1 (best) to the number of
// cards, or null where none was given yet; equal numbers are a tie.

import { list, t, tn } from "./words.js";

export const letter = (place) => String.fromCharCode(65 + place);

export const emptyRanking = (size) => ({ ranks: Array(size).fill(null), last: null, allEqual: false });

export function withRank(state, place, rank) {
  const ranks = state.ranks.slice();
  ranks[place] = rank;
  return { ranks, last: rank === null ? state.last : place, allEqual: false };
}

// Ties with the card that was ranked before this one; without one there is nothing to tie with.
export function withTie(state, place) {
  const { last, ranks } = state;
  if (last === null || last === place || ranks[last] === null) return state;
  return withRank(state, place, ranks[last]);
}

// One answer of its own: a judge who says so did not tie the cards one after the other.
export const withAllEqual = (state) => ({
  ranks: Array(state.ranks.length).fill(1),
  last: state.last,
  allEqual: true,
});

// One shelf up (-1) or down (+1); a card without a rank comes from below the last shelf.
export function moved(state, place, step) {
  const size = state.ranks.length;
  const now = state.ranks[place];
  if (now === null) return withRank(state, place, step < 0 ? size : 1);
  return withRank(state, place, Math.min(size, Math.max(1, now + step)));
}

export const isComplete = (ranks) => ranks.every((rank) => rank !== null);

export const firstMissing = (ranks) => ranks.indexOf(null);

// Places grouped by rank, best first; cards without a rank are left out.
export function groups(ranks) {
  const given = [...new Set(ranks.filter((rank) => rank !== null))].sort((a, b) => a - b);
  return given.map((rank) => ranks.flatMap((other, place) => (other === rank ? [place] : [])));
}

// Ranks without gaps: 1, 3, 3, 5 are 1, 2, 2, 3.
export function dense(ranks) {
  const order = groups(ranks);
  return ranks.map((rank, place) =>
    rank === null ? null : order.findIndex((group) => group.includes(place)) + 1,
  );
}

// "A > C = D > B"
export const summary = (ranks) =>
  groups(ranks)
    .map((group) => group.map(letter).join(" = "))
    .join(" > ");

export function sentence(ranks, place) {
  if (ranks[place] === null) return t("Output {letter}: no rank", { letter: letter(place) });
  const tied = ranks.flatMap((rank, other) =>
    other !== place && rank === ranks[place] ? [letter(other)] : [],
  );
  const values = { letter: letter(place), rank: ranks[place], others: list(tied) };
  return tied.length ? t("Output {letter}: rank {rank}, tied with {others}", values) : t("Output {letter}: rank {rank}", values);
}

// "output B", "outputs A and B"
export const outputs = (places) =>
  tn(places.length, "output {letters}", "outputs {letters}", { letters: list(places.map(letter)) });
