/**
 * A text of limited length that every store accepts: lone surrogates and null characters, which
 * databases reject, are replaced.
 */
export function clipText(text: string, maxChars: number): string {
  // Almost every text.
  if (text.length <= maxChars && text.isWellFormed() && !text.includes('\u0000')) return text
  const clean = text.toWellFormed().replaceAll('\u0000', '\ufffd')
  if (clean.length <= maxChars) return clean
  const cut = clean.slice(0, maxChars).toWellFormed()
  return `${cut}… (${text.length} characters)`
}
