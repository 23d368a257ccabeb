/** Replaces control characters: text from models and servers must not control the terminal. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
