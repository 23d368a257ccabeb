import type { BridgeAnswer } from '../../bridge/bridge.ts'
import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { isMcpResult } from '../../outputs/read-output.ts'

/** The MCP `CallToolResult` for an answer. The result of an MCP tool stays as it is. */
export function mcpResult({ parts, isError, output, news }: BridgeAnswer): object {
  if (!isMcpResult(output)) return { content: parts.map(toContent), isError }
  if (news === undefined) return output
  // Claude Code shows the structured content alone, so the news would be lost next to it.
  const { structuredContent, ...rest } = output
  const isEmpty = output.content.length === 0 && structuredContent !== undefined
  const content = isEmpty ? [textContent(JSON.stringify(structuredContent))] : output.content
  return { ...rest, content: [...content, textContent(news)] }
}

function toContent(part: OutputPart): object {
  switch (part.type) {
    case 'text':
      return textContent(part.text)
    case 'resource': {
      const { type, uri, text, mimeType } = part
      return { type, resource: { uri, text, ...(mimeType !== undefined && { mimeType }) } }
    }
    case 'link': {
      const { name = part.uri, ...link } = part
      return { ...link, type: 'resource_link', name }
    }
    case 'native':
      return textContent(JSON.stringify(part.block))
    default:
      return mediaContent(part)
  }
}

function textContent(text: string): object {
  return { type: 'text', text }
}

function mediaContent({ type, data, url = '', mimeType, filename = type }: MediaPart): object {
  if (data === undefined) return { type: 'resource_link', uri: url, name: filename, mimeType }
  if (type !== 'file') return { type, data, mimeType }
  return { type: 'resource', resource: { uri: `file:///${filename}`, blob: data, mimeType } }
}
