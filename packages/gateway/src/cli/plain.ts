/** What models and servers write must not move the cursor or colour what follows. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
