import { read } from '../../providers/openai/read.ts'
import type { Session } from '../../session/session.ts'
import { textsIn } from '../../transcript/user-text.ts'
import type { ExpectOption } from '../expect-option.ts'
import { createExpectedNotices } from '../expected-notices.ts'

// biome-ignore lint/suspicious/noExplicitAny: an input item of the SDK, which has many types
type Item = any

/** The SDK's `callModelInputFilter`, as far as we use it. */
export type ModelInputFilter = (args: {
  modelData: { input: Item[]; instructions?: string }
}) => Promise<{ input: Item[]; instructions?: string }>

/** Adds notices to the messages of the user. A session of the SDK stores only some of them. */
export function inputFilter(session: Session, expect: ExpectOption): ModelInputFilter {
  const noticesOf = createExpectedNotices(session, expect)
  return async ({ modelData }) => {
    if (expect === false) return modelData
    const notices = await noticesOf(modelData.input.map(textOf))
    const input = modelData.input.map((item, at) => {
      const text = notices[at]
      return text === undefined ? item : { ...item, content: withText(item.content, text) }
    })
    return { ...modelData, input }
  }
}

function textOf(item: Item): string | undefined {
  return item?.role === 'user' ? textsIn(read(item, 0)).join('\n') || undefined : undefined
}

function withText(content: unknown, text: string): unknown {
  if (!Array.isArray(content)) return `${content}\n\n${text}`
  return [...content, { type: 'input_text', text }]
}
