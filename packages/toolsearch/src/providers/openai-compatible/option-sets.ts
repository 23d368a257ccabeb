import type { OpenAICompatibleOptions } from './openai-compatible.ts'

/** Options for a known endpoint, to spread into the options of `openaiCompatible`. */
export type OptionSet = Readonly<
  Pick<OpenAICompatibleOptions, 'mode'> &
    Required<Pick<OpenAICompatibleOptions, 'maxTools' | 'forcing' | 'reasoning' | 'texts'>>
>

export const minimax: OptionSet = Object.freeze({
  maxTools: 128,
  forcing: 'alone',
  reasoning: 'keep',
  texts: 'so-far',
})

export const deepseek: OptionSet = Object.freeze({
  maxTools: 128,
  forcing: 'alone',
  reasoning: 'keep',
  texts: 'pieces',
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
