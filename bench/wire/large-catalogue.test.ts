import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { largeCatalogue } from './large-catalogue.ts'
import { onCallTools } from './on-call-tools.ts'

const tools = largeCatalogue()

describe('largeCatalogue', () => {
  it('has 500 tools and starts with those of the team on call', () => {
    expect(tools).toHaveLength(500)
    expect(tools.slice(0, onCallTools.length)).toEqual(onCallTools)
  })

  it('gives each tool its own name and description', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(500)
    expect(new Set(tools.map(({ description }) => description)).size).toBe(500)
  })

  it('uses only names that every provider accepts', () => {
    const names = tools.map(({ name }) => name)
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
  })

  it('has valid schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    expect(tools.filter(({ inputSchema }) => !ajv.validateSchema(inputSchema!))).toEqual([])
  })
})
