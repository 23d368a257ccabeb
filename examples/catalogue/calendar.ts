import type { ToolDefinition } from 'toolsearch'

const calendarId = {
  type: 'string',
  default: 'primary',
  description: 'Calendar to use. "primary" is the signed-in user\'s own.',
}

const timeZone = {
  type: 'string',
  description: 'IANA time zone such as "Europe/Lisbon". The calendar\'s own when left out.',
}

const notify = {
  type: 'string',
  enum: ['everyone', 'outside_guests', 'nobody'],
  default: 'everyone',
  description: 'Who gets an email about the change.',
}

const scope = {
  type: 'string',
  enum: ['this', 'this_and_following', 'all'],
  default: 'this',
  description: 'For a repeating event: which occurrences the change is for.',
}

// an event's fields, the same whether it is made or changed
const eventFields = {
  title: { type: 'string', maxLength: 300 },
  description: { type: 'string', description: 'Agenda or notes, in plain text or simple HTML.' },
  start: {
    type: 'string',
    format: 'date-time',
    description: 'First moment. Only its date counts for an all-day event.',
  },
  end: {
    type: 'string',
    format: 'date-time',
    description: 'Moment it is over. For an all-day event, on its last day.',
  },
  all_day: { type: 'boolean', description: 'Takes whole days, from start to end.' },
  time_zone: timeZone,
  location: { type: 'string', description: 'Address or free text. Use room_ids to book a room.' },
  attendees: {
    type: 'array',
    maxItems: 200,
    items: {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        optional: { type: 'boolean', default: false },
      },
      required: ['email'],
    },
  },
  room_ids: {
    type: 'array',
    items: { type: 'string' },
    description: 'Rooms to book, as returned by find_rooms.',
  },
  video_call: { type: 'boolean', description: 'Whether it has a link to a video call.' },
  recurrence: {
    type: 'object',
    description: 'How the event repeats. Leave out for a single event.',
    properties: {
      frequency: { type: 'string', enum: ['daily', 'weekly', 'monthly', 'yearly'] },
      interval: {
        type: 'integer',
        minimum: 1,
        maximum: 99,
        default: 1,
        description: 'Every how many days, weeks, months or years.',
      },
      weekdays: {
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', enum: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
        description: 'Only with "weekly".',
      },
      until: { type: 'string', format: 'date', description: 'Last day it may occur on.' },
      count: {
        type: 'integer',
        minimum: 1,
        maximum: 730,
        description: 'Number of occurrences. Not together with until.',
      },
    },
    required: ['frequency'],
  },
  reminders: {
    type: 'array',
    maxItems: 5,
    items: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: ['popup', 'email'], default: 'popup' },
        minutes_before: { type: 'integer', minimum: 0, maximum: 40320 },
      },
      required: ['minutes_before'],
    },
  },
  visibility: { type: 'string', enum: ['default', 'public', 'private'] },
  show_as: { type: 'string', enum: ['busy', 'free', 'tentative', 'out_of_office'] },
}

/** Tools of Almanac, an imaginary shared calendar: events, free time, rooms. */
export const calendarTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__calendar__list_events',
    description:
      'List the events of a calendar between two moments, in order of start. Repeating events ' +
      'are listed once for each occurrence. Use it for questions about what is on the agenda; ' +
      'use find_free_time to look for a gap.',
    source: 'mcp:calendar',
    inputSchema: {
      type: 'object',
      properties: {
        calendar_id: calendarId,
        from: { type: 'string', format: 'date-time', description: 'Now when left out.' },
        to: {
          type: 'string',
          format: 'date-time',
          description: 'Seven days after from when left out.',
        },
        query: {
          type: 'string',
          description: 'Only events with these words in title, notes, place or guests.',
        },
        time_zone: timeZone,
        include_declined: { type: 'boolean', default: false },
        limit: { type: 'integer', minimum: 1, maximum: 250, default: 50 },
      },
    },
    annotations: { title: 'List events', readOnlyHint: true },
  },
  {
    name: 'mcp__calendar__get_event',
    description: 'Get one event in full: notes, guests and their answers, attachments, video link.',
    source: 'mcp:calendar',
    inputSchema: {
      type: 'object',
      properties: { calendar_id: calendarId, event_id: { type: 'string' }, time_zone: timeZone },
      required: ['event_id'],
    },
    annotations: { title: 'Get event', readOnlyHint: true },
  },
  {
    name: 'mcp__calendar__create_event',
    description:
      'Put an event on a calendar and invite the guests. Check find_free_time first when ' +
      'other people must attend. Returns the event with its id, its link and the video link ' +
      'if one was asked for.',
    source: 'mcp:calendar',
    searchHint: 'book meeting invite appointment schedule call',
    inputSchema: {
      type: 'object',
      properties: { calendar_id: calendarId, ...eventFields, notify },
      required: ['title', 'start', 'end'],
    },
    annotations: { title: 'Create event', destructiveHint: false, openWorldHint: true },
  },
  {
    name: 'mcp__calendar__update_event',
    description:
      'Change an event: move it, rename it, add or remove guests. Fields left out stay as ' +
      'they are, but a list given replaces the whole list.',
    source: 'mcp:calendar',
    inputSchema: {
      type: 'object',
      properties: {
        calendar_id: calendarId,
        event_id: { type: 'string' },
        scope,
        ...eventFields,
        notify,
      },
      required: ['event_id'],
    },
    annotations: { title: 'Update event', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'mcp__calendar__delete_event',
    description:
      'Remove an event and tell its guests that it is cancelled. Only the organiser can do ' +
      'this; a guest should use respond_to_invitation.',
    source: 'mcp:calendar',
    inputSchema: {
      type: 'object',
      properties: {
        calendar_id: calendarId,
        event_id: { type: 'string' },
        scope,
        notify,
        message: { type: 'string', description: 'A line for the guests.' },
      },
      required: ['event_id'],
    },
    annotations: { title: 'Delete event', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'mcp__calendar__respond_to_invitation',
    description: 'Accept or decline an invitation, or propose another time.',
    source: 'mcp:calendar',
    searchHint: 'RSVP',
    inputSchema: {
      type: 'object',
      properties: {
        event_id: { type: 'string' },
        answer: { type: 'string', enum: ['accepted', 'declined', 'tentative'] },
        comment: { type: 'string', maxLength: 500 },
        proposed_start: { type: 'string', format: 'date-time' },
        scope,
      },
      required: ['event_id', 'answer'],
    },
    annotations: { title: 'Respond to invitation', idempotentHint: true },
  },
  {
    name: 'mcp__calendar__find_free_time',
    description:
      'Find times at which several people, and a room if needed, are all free. Respects ' +
      'working hours and time zones. Returns up to ten slots, the best first, and says who is ' +
      'busy when no slot suits everyone.',
    source: 'mcp:calendar',
    searchHint: 'availability slot when can we meet busy',
    inputSchema: {
      type: 'object',
      properties: {
        attendees: {
          type: 'array',
          items: { type: 'string', format: 'email' },
          minItems: 1,
          maxItems: 40,
          description: 'Who must be there.',
        },
        optional_attendees: { type: 'array', items: { type: 'string', format: 'email' } },
        duration_minutes: { type: 'integer', minimum: 5, maximum: 480, default: 30 },
        from: { type: 'string', format: 'date-time', description: 'Earliest start.' },
        to: {
          type: 'string',
          format: 'date-time',
          description: 'Latest end. At most 60 days after from.',
        },
        time_zone: timeZone,
        working_hours: {
          type: 'object',
          description: "Hours to stay within. Each person's own hours when left out.",
          properties: {
            start: { type: 'string', pattern: '^\\d{2}:\\d{2}$', default: '09:00' },
            end: { type: 'string', pattern: '^\\d{2}:\\d{2}$', default: '18:00' },
            weekends: { type: 'boolean', default: false },
          },
        },
        buffer_minutes: {
          type: 'integer',
          minimum: 0,
          maximum: 60,
          default: 0,
          description: 'Free minutes to keep before and after.',
        },
        needs_room: {
          type: 'boolean',
          default: false,
          description: 'Only slots in which a room for everyone is free.',
        },
      },
      required: ['attendees', 'from', 'to'],
    },
    annotations: { title: 'Find free time', readOnlyHint: true },
  },
  {
    name: 'mcp__calendar__find_rooms',
    description:
      'Find meeting rooms that are free at a given time, by building, size and equipment.',
    source: 'mcp:calendar',
    inputSchema: {
      type: 'object',
      properties: {
        start: { type: 'string', format: 'date-time' },
        end: { type: 'string', format: 'date-time' },
        building: { type: 'string', description: 'Name or id of the building.' },
        minimum_seats: { type: 'integer', minimum: 1, default: 2 },
        equipment: {
          type: 'array',
          uniqueItems: true,
          items: {
            type: 'string',
            enum: ['screen', 'camera', 'whiteboard', 'phone', 'step_free_access'],
          },
        },
      },
      required: ['start', 'end'],
    },
    annotations: { title: 'Find rooms', readOnlyHint: true },
  },
]
