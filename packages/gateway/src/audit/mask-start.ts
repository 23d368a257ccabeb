import { LONGEST_SECRET } from '../config/secret-mask.ts'

/**
 * Masks what will be recorded of a text: its first `length` characters, and what a secret that starts there
 * may go on with.
 */
export function maskStart(
  text: string,
  { mask, length }: { readonly mask: (text: string) => string; readonly length: number },
): { readonly masked: string; readonly total: number | undefined } {
  const start = text.slice(0, length + LONGEST_SECRET)
  return { masked: mask(start), total: start.length < text.length ? text.length : undefined }
}
