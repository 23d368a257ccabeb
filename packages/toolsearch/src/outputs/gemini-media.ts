import type { MediaPart, OutputPart } from './output-part.ts'

const NESTABLE = /^(image\/(png|jpeg|webp)|application\/pdf)$/

/** Whether a function response of Gemini 3 or later can contain a part. It rejects other media. */
export function isGeminiNestable(part: OutputPart): part is MediaPart & { readonly data: string } {
  return 'data' in part && part.data !== undefined && NESTABLE.test(part.mimeType)
}
