import { describe, expect, it } from 'vitest'
import { shareStrings } from './share-strings.ts'

describe('shareStrings', () => {
  it('changes nothing that can be read', () => {
    const text = '{"a":["x","x",{"__proto__":"x","b":null,"c":[1,true,"x"]}],"__proto__":{"d":"x"}}'
    expect(JSON.stringify(shareStrings(JSON.parse(text)))).toBe(text)
  })
})
