import { estimateTokens, ImpossibleReplyError, newId, type Reply } from '../reply.ts'
import type { GeminiBody, Part } from './gemini-body.ts'
import { geminiPrompt } from './gemini-prompt.ts'

/** A complete `GenerateContentResponse`. */
export interface EncodedContent {
  candidates: readonly [
    { index: number; content: { role: string; parts: readonly Part[] }; finishReason?: string },
  ]
  usageMetadata: object
  modelVersion: string
  responseId: string
}

/**
 * Encodes a reply as a `GenerateContentResponse`. A call has an id only if the script has one, and of
 * several calls only the first has a signature.
 */
export function encodeGemini(reply: Reply, body: GeminiBody, signatures: boolean): EncodedContent {
  if (reply.search || reply.clientSearch) {
    throw new ImpossibleReplyError('Gemini has no search of its own. Use `calls`.')
  }
  const parts: Part[] = [
    ...(reply.text === undefined ? [] : [{ text: reply.text }]),
    ...(reply.native ?? []),
    ...(reply.calls ?? []).map(({ id, name, arguments: args }, index) => ({
      functionCall: { ...(id === undefined ? {} : { id }), name, args },
      ...(signatures && index === 0 ? { thoughtSignature: newId('signature') } : {}),
    })),
  ]
  const promptTokenCount = estimateTokens(geminiPrompt(body))
  const candidatesTokenCount = estimateTokens([JSON.stringify(parts)])
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount,
      totalTokenCount: promptTokenCount + candidatesTokenCount,
    },
    modelVersion: 'gemini',
    responseId: newId('response'),
  }
}
