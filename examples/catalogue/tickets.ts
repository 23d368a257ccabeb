import type { ToolDefinition } from 'toolsearch'

const ticketKey = {
  type: 'string',
  pattern: '^[A-Z]+-\\d+$',
  description: 'Key of the ticket, for example "OPS-214".',
}

const project = { type: 'string', pattern: '^[A-Z]+$', description: 'Key of the project: "OPS".' }

const priority = { type: 'string', enum: ['urgent', 'high', 'medium', 'low', 'none'] }

const kind = { type: 'string', enum: ['bug', 'task', 'story', 'epic', 'incident'] }

const page = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  offset: { type: 'integer', minimum: 0, default: 0 },
}

// a ticket's fields, the same whether it is made or changed
const ticketFields = {
  title: { type: 'string', maxLength: 255 },
  description: {
    type: 'string',
    description: 'Markdown. For a bug: what you did, what you saw, what you expected.',
  },
  kind,
  priority,
  assignee: { type: 'string', description: 'Email or user id, "me", or "nobody".' },
  labels: { type: 'array', items: { type: 'string' }, maxItems: 20 },
  components: {
    type: 'array',
    items: { type: 'string' },
    description: 'Parts of the product it is about.',
  },
  parent: { ...ticketKey, description: 'Epic or ticket it is a part of.' },
  sprint: { type: 'string', description: 'Sprint id, "current" or "backlog".' },
  estimate: {
    type: 'number',
    minimum: 0,
    maximum: 100,
    description: 'Points, in the scale of the team.',
  },
  due_date: { type: 'string', format: 'date' },
  custom_fields: {
    type: 'object',
    additionalProperties: true,
    description: 'Fields of the project by name. Use get_project to see them.',
  },
}

/** Tools of Queuework, an imaginary issue tracker: tickets, sprints, time. */
export const ticketsTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__tickets__search_tickets',
    description:
      'Search tickets by words and by field. Every condition given must hold. Returns key, ' +
      'title, status, assignee and last change; use get_ticket for the rest.',
    source: 'mcp:tickets',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words in title, description or comments.' },
        projects: { type: 'array', items: project },
        kinds: { type: 'array', uniqueItems: true, items: kind },
        statuses: {
          type: 'array',
          items: { type: 'string' },
          description: 'Names of statuses, or "open" and "done" for all of a sort.',
        },
        priorities: { type: 'array', uniqueItems: true, items: priority },
        assignee: { type: 'string', description: 'Email or user id, "me", or "nobody".' },
        reporter: { type: 'string' },
        labels: { type: 'array', items: { type: 'string' } },
        sprint: { type: 'string', description: 'Sprint id, "current" or "backlog".' },
        created_after: { type: 'string', format: 'date' },
        updated_after: { type: 'string', format: 'date' },
        due_before: { type: 'string', format: 'date' },
        order_by: {
          type: 'string',
          enum: ['relevance', 'created', 'updated', 'priority', 'due_date'],
          default: 'updated',
        },
        ...page,
      },
    },
    annotations: { title: 'Search tickets', readOnlyHint: true },
  },
  {
    name: 'mcp__tickets__get_ticket',
    description: 'Get one ticket in full, with comments, history and linked tickets if asked for.',
    source: 'mcp:tickets',
    inputSchema: {
      type: 'object',
      properties: {
        ticket: ticketKey,
        include: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['comments', 'history', 'links', 'attachments', 'time'] },
          default: ['comments'],
        },
      },
      required: ['ticket'],
    },
    annotations: { title: 'Get ticket', readOnlyHint: true },
  },
  {
    name: 'mcp__tickets__create_ticket',
    description:
      'Create a ticket: a bug, a task, a story, an epic or an incident. Search first, so as ' +
      'not to report the same thing twice. Returns the key and the link.',
    source: 'mcp:tickets',
    inputSchema: {
      type: 'object',
      properties: {
        project,
        ...ticketFields,
        links: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              relation: {
                type: 'string',
                enum: ['blocks', 'blocked_by', 'duplicates', 'relates_to', 'caused_by'],
              },
              ticket: ticketKey,
            },
            required: ['relation', 'ticket'],
          },
        },
        watchers: {
          type: 'array',
          items: { type: 'string' },
          description: 'People to keep informed.',
        },
      },
      required: ['project', 'title', 'kind'],
    },
    annotations: { title: 'Create ticket', destructiveHint: false },
  },
  {
    name: 'mcp__tickets__update_ticket',
    description:
      'Change the fields of a ticket. Fields left out stay as they are, and lists are ' +
      'replaced as a whole. To change the status, use move_ticket.',
    source: 'mcp:tickets',
    inputSchema: {
      type: 'object',
      properties: {
        ticket: ticketKey,
        ...ticketFields,
        silent: { type: 'boolean', default: false, description: 'Do not notify watchers.' },
      },
      required: ['ticket'],
    },
    annotations: { title: 'Update ticket', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'mcp__tickets__move_ticket',
    description:
      'Move a ticket to another status of its workflow, for example from "In review" to ' +
      '"Done". When the step is not allowed, the answer lists the ones that are.',
    source: 'mcp:tickets',
    searchHint: 'issue close resolve reopen transition start',
    inputSchema: {
      type: 'object',
      properties: {
        ticket: ticketKey,
        status: { type: 'string', description: 'Name of the new status.' },
        resolution: {
          type: 'string',
          enum: ['fixed', 'wont_fix', 'duplicate', 'cannot_reproduce', 'obsolete'],
          description: 'Why it is over. Needed for statuses that close a ticket.',
        },
        comment: { type: 'string' },
      },
      required: ['ticket', 'status'],
    },
    annotations: { title: 'Move ticket', destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'mcp__tickets__add_comment',
    description: 'Add a comment to a ticket. Mentioned people and watchers are notified.',
    source: 'mcp:tickets',
    inputSchema: {
      type: 'object',
      properties: {
        ticket: ticketKey,
        body: { type: 'string', description: 'Markdown. Mention people as @email.' },
        visibility: {
          type: 'string',
          enum: ['everyone', 'team'],
          default: 'everyone',
          description: '"team" hides it from customers.',
        },
      },
      required: ['ticket', 'body'],
    },
    annotations: { title: 'Add comment', destructiveHint: false },
  },
  {
    name: 'mcp__tickets__log_time',
    description: 'Record time spent on a ticket. Shows up in the time sheet of the person.',
    source: 'mcp:tickets',
    inputSchema: {
      type: 'object',
      properties: {
        ticket: ticketKey,
        minutes: { type: 'integer', minimum: 1, maximum: 1440 },
        day: { type: 'string', format: 'date', description: 'Today when left out.' },
        note: { type: 'string', maxLength: 500 },
        billable: { type: 'boolean', default: true },
      },
      required: ['ticket', 'minutes'],
    },
    annotations: { title: 'Log time', destructiveHint: false },
  },
  {
    name: 'mcp__tickets__get_project',
    description:
      'Get the set-up of a project: workflow statuses, components, custom fields with their ' +
      'allowed values, and members. Use it before creating tickets in a project you do not ' +
      'know.',
    source: 'mcp:tickets',
    inputSchema: { type: 'object', properties: { project }, required: ['project'] },
    annotations: { title: 'Get project', readOnlyHint: true },
  },
  {
    name: 'mcp__tickets__get_sprint_report',
    description:
      'Report on a sprint: what was planned, done, added and carried over, points by person, ' +
      'and a burndown by day.',
    source: 'mcp:tickets',
    inputSchema: {
      type: 'object',
      properties: {
        project,
        sprint: {
          type: 'string',
          default: 'current',
          description: 'Sprint id, "current" or "previous".',
        },
        group_by: {
          type: 'string',
          enum: ['assignee', 'kind', 'component', 'label'],
          default: 'assignee',
        },
        include_subtasks: { type: 'boolean', default: false },
      },
      required: ['project'],
    },
    annotations: { title: 'Get sprint report', readOnlyHint: true },
  },
]
