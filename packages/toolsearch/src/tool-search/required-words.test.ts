import { describe, expect, it } from 'vitest'
import { createToolSearch, type ToolDefinition } from '../index.ts'

const found = (toolSearch: ReturnType<typeof createToolSearch>, query: string) =>
  toolSearch.search(query).hits.map(({ tool }) => tool.name)

describe('a required word in the default preset', () => {
  it('finds the tools of an MCP server that were added with sync', () => {
    const toolSearch = createToolSearch()
    toolSearch.catalogue.sync('mcp:github', [
      { name: 'create_issue', description: 'Open a new issue' },
      { name: 'list_issues', description: 'List open issues' },
    ])
    toolSearch.catalogue.sync('mcp:tracker', [{ name: 'open_issues', description: 'Open issues' }])
    const names = found(toolSearch, '+github open issues')
    expect(names.toSorted()).toEqual(['create_issue', 'list_issues'])
    expect(toolSearch.preset.searchTool.inputSchema).toMatchObject({
      properties: { query: { description: expect.stringContaining('"+github open issues"') } },
    })
  })

  it.each<[string, Partial<ToolDefinition>]>([
    ['name', { name: 'billing_export' }],
    ['title', { title: 'Billing export' }],
    ['description', { description: 'Export billing data' }],
    ['hint', { searchHint: 'billing' }],
    ['tags', { tags: ['finance', 'Billing'] }],
    ['source', { source: 'mcp:billing' }],
    ['plugin', { source: 'plugin:billing' }],
  ])('can occur in the %s', (_field, fields) => {
    const other = { name: 'export_report', description: 'Export a report' }
    const tool = { name: 'export_data', ...fields }
    expect(found(createToolSearch({ tools: [other, tool] }), '+billing export')).toEqual([
      tool.name,
    ])
  })

  it('is not matched with the kind of a source, such as mcp', () => {
    const tools: ToolDefinition[] = [
      { name: 'create_issue', description: 'Open an issue', source: 'mcp:github' },
      { name: 'mcp_issue', description: 'Open an issue', source: 'plugin:hub' },
    ]
    const toolSearch = createToolSearch({ tools })
    expect(found(toolSearch, '+mcp open issue')).toEqual(['mcp_issue'])
    expect(found(toolSearch, '+plugin open issue')).toEqual([])
  })
})
