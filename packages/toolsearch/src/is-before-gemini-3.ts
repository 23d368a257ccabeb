/**
 * Whether a model is older than Gemini 3: it reads only text in the results of tools, and accepts
 * calls without a thought signature. An unknown name counts as a recent model.
 */
export function isBeforeGemini3(model: string | undefined): boolean {
  return model !== undefined && /gemini-[12]\b/.test(model)
}
