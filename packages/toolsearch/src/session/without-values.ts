const QUOTED =
  /"([^"\n]{1,200})"|“([^”\n]{1,200})”|`([^`\n]{1,200})`|(?<!\p{L})'([^'\n]{1,200})'(?!\p{L})/gu
const ADDRESS = /(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@[^\s@]{1,64}\.[^\s@]{1,64}/g
const NUMBER = /(?<![\p{L}\p{N}_-])[#$€£]?\d[\d.,:/-]*%?(?![\p{L}\p{N}_])/gu
/** People quote names of tools, too. */
const IDENTIFIER = /^[\w-]*[_-][\w-]*$/

/**
 * The words of a user without values: quoted texts, addresses and numbers. They are the arguments of a
 * call and say little about which tool the user needs. Returns the given text if nothing would be left.
 */
export function withoutValues(text: string): string {
  const words = text
    .replace(QUOTED, (quote, ...groups: (string | undefined)[]) =>
      groups.slice(0, 4).some((inner) => inner !== undefined && IDENTIFIER.test(inner))
        ? quote
        : ' ',
    )
    .replace(ADDRESS, ' ')
    .replace(NUMBER, ' ')
  return /\p{L}/u.test(words) ? words : text
}
