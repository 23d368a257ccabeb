import type { GeminiBody } from './gemini-body.ts'

/** The prompt as the model reads it: system instruction, tools, contents. */
export function geminiPrompt({
  systemInstruction,
  tools = [],
  contents = [],
}: GeminiBody): string[] {
  const declarations = tools.flatMap(
    (tool): readonly object[] => tool.functionDeclarations ?? [tool],
  )
  const contentParts = contents.flatMap(({ role = 'user', parts = [] }) =>
    parts.map((part) => `${role}: ${JSON.stringify(part)}`),
  )
  return [
    ...(systemInstruction ? [JSON.stringify(systemInstruction)] : []),
    ...declarations.map((declaration) => JSON.stringify(declaration)),
    ...contentParts,
  ]
}
