import type { OpenAICompatibleOptions } from './openai-compatible.ts'

/** Options for a known endpoint, to spread into the options of `openaiCompatible`. */
export type OptionSet = Readonly<
  Required<Pick<OpenAICompatibleOptions, 'mode' | 'maxTools' | 'forcing' | 'reasoning' | 'texts'>> &
    Pick<OpenAICompatibleOptions, 'media'>
>

export const minimax: OptionSet = Object.freeze({
  mode: 'bridge',
  maxTools: 128,
  forcing: 'alone',
  reasoning: 'keep',
  texts: 'so-far',
  media: [],
})

export const deepseek: OptionSet = Object.freeze({
  mode: 'bridge',
  maxTools: 128,
  forcing: 'alone',
  reasoning: 'keep',
  texts: 'pieces',
  media: [],
})

export const ollama: OptionSet = Object.freeze({
  mode: 'append',
  maxTools: 128,
  forcing: 'alone',
  reasoning: 'keep',
  texts: 'pieces',
})

export const vllm: OptionSet = Object.freeze({
  mode: 'bridge',
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
  mode: 'append',
  maxTools: 128,
  forcing: 'required',
  reasoning: 'keep',
  texts: 'pieces',
})

export const openRouter: OptionSet = Object.freeze({
  mode: 'bridge',
  maxTools: 128,
  forcing: 'named',
  reasoning: 'keep',
  texts: 'pieces',
})
