import type { OpenAICompatibleOptions } from './openai-compatible.ts'

/** Options for a known endpoint, to spread into the options of `openaiCompatible`. */
export type OptionSet = Readonly<
  Pick<OpenAICompatibleOptions, 'mode' | 'media'> &
    Required<Pick<OpenAICompatibleOptions, 'maxTools' | 'forcing' | 'reasoning' | 'texts'>>
>

export const minimax: OptionSet = Object.freeze({
  maxTools: 128,
  forcing: 'alone',
  reasoning: 'keep',
  texts: 'so-far',
  media: [],
})

export const deepseek: OptionSet = Object.freeze({
  maxTools: 128,
  forcing: 'alone',
  reasoning: 'keep',
  texts: 'pieces',
  media: [],
})

export const ollama: OptionSet = Object.freeze({
  maxTools: 128,
  forcing: 'alone',
  reasoning: 'keep',
  texts: 'pieces',
})

export const vllm: OptionSet = Object.freeze({
  maxTools: 128,
  forcing: 'named',
  reasoning: 'keep',
  texts: 'pieces',
})

export const sglang: OptionSet = Object.freeze({
  mode: 'reference',
  maxTools: 128,
  forcing: 'named',
  reasoning: 'keep',
  texts: 'pieces',
})

export const baseten: OptionSet = Object.freeze({
  mode: 'reference',
  maxTools: 128,
  forcing: 'named',
  reasoning: 'keep',
  texts: 'pieces',
})

export const lmStudio: OptionSet = Object.freeze({
  maxTools: 128,
  forcing: 'required',
  reasoning: 'keep',
  texts: 'pieces',
})

export const openRouter: OptionSet = Object.freeze({
  maxTools: 128,
  forcing: 'named',
  reasoning: 'keep',
  texts: 'pieces',
})
