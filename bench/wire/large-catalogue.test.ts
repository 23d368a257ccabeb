import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { wireCatalogue } from './catalogue/wire-catalogue.ts'
import { largeCatalogue } from './large-catalogue.ts'

const tools = largeCatalogue()

describe('largeCatalogue', () => {
  it('has 500 tools, the wire catalogue first', () => {
    expect(tools).toHaveLength(500)
    expect(tools.slice(0, wireCatalogue.length)).toEqual(wireCatalogue)
  })

  it('has no two tools with one name or one description', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(500)
    expect(new Set(tools.map(({ description }) => description)).size).toBe(500)
  })

  it('has names that every provider takes', () => {
    const names = tools.map(({ name }) => name)
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
  })

  it('has schemas that are valid', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    expect(tools.filter(({ inputSchema }) => !ajv.validateSchema(inputSchema!))).toEqual([])
  })
})
