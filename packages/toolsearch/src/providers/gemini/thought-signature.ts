import type { Block } from '../../transcript/block.ts'

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

/** A call that is accepted without a signature of its own. */
export function unsigned(call: Block): Block {
  return { ...call, thoughtSignature: UNSIGNED }
}
