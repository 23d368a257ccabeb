const LETTERS = /\p{L}/gu
const LATIN_LETTERS = /\p{Script=Latin}/gu

/** The share of a text's letters that are Latin. The model has learned English only. */
export function latinShare(text: string): number {
  const letters = text.match(LETTERS)?.length ?? 0
  if (letters === 0) return 1
  return (text.match(LATIN_LETTERS)?.length ?? 0) / letters
}
