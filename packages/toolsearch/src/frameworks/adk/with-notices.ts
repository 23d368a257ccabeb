import type { LlmRequest } from '@google/adk'
import type { createExpectedNotices } from '../expected-notices.ts'

type Contents = LlmRequest['contents']

/** Adds notices to the messages of the user. ADK has only the messages themselves in its session. */
export async function withNotices(
  contents: Contents,
  noticesOf: ReturnType<typeof createExpectedNotices>,
): Promise<Contents> {
  const notices = await noticesOf(contents.map(userText))
  return contents.map((content, at) => {
    const text = notices[at]
    return text === undefined ? content : { ...content, parts: [...content.parts!, { text }] }
  })
}

/** Undefined for replies, and for results, which have the role of the user too. */
function userText({ role, parts = [] }: Contents[number]): string | undefined {
  if (role !== 'user' || parts.some(({ functionResponse }) => functionResponse)) return undefined
  return parts.map(({ text = '' }) => text).join('\n') || undefined
}
