/**
 * A text as a column can hold it: PostgreSQL accepts neither `\0` nor half of a surrogate pair. For
 * columns that are searched; the record itself is JSON and keeps every character.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
