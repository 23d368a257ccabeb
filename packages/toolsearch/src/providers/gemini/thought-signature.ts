import { type GeminiContent, type Part, partsOf } from './parts.ts'

/**
 * Stands for the signature of a call that another model made, or whose signature was lost. The
 * service does not validate it.
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const UNSIGNED = 'skip_thought_signature_validator'

/** Whether a part has a signature of Gemini's, which says something about its thoughts. */
export function isRealSignature(signature: unknown): boolean {
  return signature !== undefined && signature !== UNSIGNED
}

/** The parts of a model content. Of several calls, only the first needs a signature. */
export function signed(parts: readonly Part[]): readonly Part[] {
  const at = parts.findIndex((part) => part.functionCall !== undefined)
  if (at < 0 || parts[at]!.thoughtSignature !== undefined) return parts
  return parts.with(at, { ...parts[at], thoughtSignature: UNSIGNED })
}

/** The same content if its calls are signed or if it has none. */
export function signedContent(content: GeminiContent): GeminiContent {
  const before = partsOf(content)
  const after = signed(before)
  return after === before ? content : { ...content, parts: after }
}
