import { describe, expect, it } from 'vitest'
import type { ChatMessage } from './chat-message.ts'
import { withInstructions } from './with-instructions.ts'

const user: ChatMessage = { role: 'user', content: 'Hello.' }
const system = (content: unknown): ChatMessage => ({ role: 'system', content })
const block = (text: string) => `<tools_by_search>\n${text}\n</tools_by_search>`

describe('withInstructions', () => {
  it('puts the system prompt and the announcement into one message', () => {
    expect(withInstructions([user], 'Be kind.', '- a')).toEqual([
      system(`Be kind.\n\n${block('- a')}`),
      user,
    ])
  })

  it('changes nothing the second time', () => {
    for (const prompt of ['Be kind.', undefined]) {
      const once = withInstructions([user], prompt, '- a')
      expect(withInstructions(once, prompt, '- a')).toBe(once)
    }
  })

  it("appends the announcement to the caller's last instruction", () => {
    const developer = { role: 'developer', content: 'Be brief.' }
    expect(withInstructions([system('Be kind.'), developer, user], undefined, '- a')).toEqual([
      system('Be kind.'),
      { role: 'developer', content: `Be brief.\n\n${block('- a')}` },
      user,
    ])
  })

  it("keeps the caller's instruction next to the system prompt", () => {
    const once = withInstructions([system('Be brief.'), user], 'Be kind.', '- a')
    expect(once).toEqual([system('Be kind.'), system(`Be brief.\n\n${block('- a')}`), user])
    expect(withInstructions(once, 'Be kind.', '- a')).toBe(once)
  })

  it('appends a part to content with parts', () => {
    const parts = [{ type: 'text', text: 'Be kind.' }]
    const once = withInstructions([system(parts), user], undefined, '- a')
    expect(once).toEqual([system([...parts, { type: 'text', text: block('- a') }]), user])
    expect(withInstructions(once, undefined, '- a')).toBe(once)
    expect(withInstructions(once, undefined, undefined)).toEqual([system(parts), user])
  })

  it('replaces a changed announcement and removes an obsolete one', () => {
    const once = withInstructions([user], 'Be kind.', '- a\n- secret')
    expect(withInstructions(once, 'Be kind.', '- a')).toEqual([
      system(`Be kind.\n\n${block('- a')}`),
      user,
    ])
    expect(withInstructions(once, 'Be kind.', undefined)).toEqual([system('Be kind.'), user])
    const alone = withInstructions([user], undefined, '- a')
    expect(withInstructions(alone, undefined, undefined)).toEqual([user])
  })

  it('replaces a changed system prompt', () => {
    const once = withInstructions([user], 'It is one.', '- a')
    expect(withInstructions(once, 'It is two.', '- a')).toEqual([
      system(`It is two.\n\n${block('- a')}`),
      user,
    ])
  })

  it('returns messages without instructions unchanged', () => {
    const messages = [user]
    expect(withInstructions(messages, undefined, undefined)).toBe(messages)
  })
})
