import type { SdkModel, SdkReplyPart, SdkRequest } from './sdk-shapes.ts'

/** The difference between what the SDK handles and what the service gets and sends. */
export interface Wire {
  /** The request for the service. */
  request(request: SdkRequest): SdkRequest
  /** A call of the model as the SDK should handle it. */
  call(part: SdkReplyPart): Promise<SdkReplyPart>
  /**
   * The tool that the SDK should see when the input of a call starts, or undefined if it must wait for
   * the complete call.
   */
  calledTool(toolName: string): string | undefined
}

/** A model that translates requests and replies. It replaces the SDK's `wrapLanguageModel`. */
export function wireModel(model: SdkModel, wire: Wire): SdkModel {
  const { specificationVersion, provider, modelId } = model
  return {
    specificationVersion,
    provider,
    modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    async doGenerate(request) {
      const reply = await model.doGenerate(wire.request(request))
      const content: SdkReplyPart[] = []
      // one after another, so that the second guess of a tool is not the first again
      for (const part of reply.content) content.push(isCall(part) ? await wire.call(part) : part)
      return { ...reply, content }
    },
    async doStream(request) {
      const reply = await model.doStream(wire.request(request))
      return { ...reply, stream: reply.stream.pipeThrough(translate(wire)) }
    },
  }
}

function translate(wire: Wire): TransformStream<SdkReplyPart, SdkReplyPart> {
  const held = new Set<string>()
  return new TransformStream({
    async transform(part, controller) {
      const { type, id = '', toolName = '' } = part
      if (type === 'tool-input-start' && !part.providerExecuted) {
        const called = wire.calledTool(toolName)
        if (called !== undefined) return controller.enqueue({ ...part, toolName: called })
        held.add(id)
      }
      if (type.startsWith('tool-input-') && held.has(id)) return
      if (!isCall(part)) return controller.enqueue(part)
      const call = await wire.call(part)
      if (held.has(call.toolCallId ?? '')) for (const one of inputOf(call)) controller.enqueue(one)
      controller.enqueue(call)
    },
  })
}

/** The input as a stream of one piece, because tools can listen to it. */
function inputOf({ toolCallId: id = '', toolName = '', input = '' }: SdkReplyPart) {
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: input },
    { type: 'tool-input-end', id },
  ]
}

function isCall({ type, providerExecuted }: SdkReplyPart): boolean {
  return type === 'tool-call' && !providerExecuted
}
