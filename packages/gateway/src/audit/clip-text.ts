/**
 * A text of limited length that every store accepts: lone surrogates and null characters, which
 * databases reject, are replaced.
 *
 * @param total how long the whole text is, if this is only its beginning
 */
export function clipText(text: string, maxChars: number, total?: number): string {
  const isComplete = text.length <= maxChars && total === undefined
  // Almost every text.
  if (isComplete && text.isWellFormed() && !text.includes('\u0000')) return text
  const clean = text.toWellFormed().replaceAll('\u0000', '\ufffd')
  if (isComplete) return clean
  const cut = clean.slice(0, maxChars).toWellFormed()
  return `${cut}… (${total ?? text.length} characters)`
}
