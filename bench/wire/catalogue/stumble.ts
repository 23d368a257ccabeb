import type { ToolDefinition } from 'toolsearch'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import { serverTools } from './server-tools.ts'

const organisation = text('Slug of the organisation, as in the address of the web page.')

const groupId = text('Short id of the error group such as "CHECKOUT-API-7Q2", or its numeric id.', {
  pattern: '^([A-Z0-9-]+-[0-9A-Z]+|\\d+)$',
})

const environment = text(
  'Environment events were sent from, for example "production". All environments when left out.',
)

const period = text('How far back to look: a number and m, h, d or w.', {
  pattern: '^\\d+[mhdw]$',
  default: '24h',
})

const cursor = text('next_cursor of the previous answer.')

/** Stumble, an imaginary error tracker. */
export const stumble: readonly ToolDefinition[] = serverTools('stumble', [
  {
    name: 'search_error_groups',
    description: lines(
      'Search error groups: exceptions and crashes that Stumble has folded together because ' +
        'they have the same cause. Use it to see which errors are new, which are frequent and ' +
        'which came with a release.',
      '',
      'Returns short id, title, place in the code, first and last seen, number of events and ' +
        'affected users in the period, release of the first event, state and assignee. For ' +
        'stack traces use get_error_group.',
      'Sort by "trend" to find what has got worse, by "first_seen" to find what is new. ' +
        'Counts are exact up to 10,000 and sampled above.',
      '',
      'How to write query:',
      '- bare words look into title, exception type and message; quote what contains spaces',
      '- tag:value conditions combine with AND, several values as tag:[a, b], ranges as ' +
        'duration:>2s',
      '- useful tags: release, region, server, transaction, http.status, customer, os, browser',
      '- has:user and !has:user tell events with a known user from the others',
      'Examples: "is not iterable" release:2026.3.*; transaction:"POST /v2/orders" ' +
        'http.status:[502, 504]',
    ),
    inputSchema: object(
      {
        organisation,
        projects: list(
          text('Slug of a project, usually the name of the service.'),
          'Only these projects. All you can read when left out.',
          { maxItems: 50 },
        ),
        query: text(
          'Words from the title or the message, and conditions as tag:value, for example ' +
            '"timeout region:eu-west". Prefix a condition with ! to negate it.',
          { default: '' },
        ),
        environment,
        period,
        states: list(
          choice(
            ['new', 'ongoing', 'escalating', 'regressed', 'resolved', 'ignored'],
            'State of a group.',
          ),
          'Only these states.',
          { uniqueItems: true, default: ['new', 'ongoing', 'escalating', 'regressed'] },
        ),
        levels: list(
          choice(['fatal', 'error', 'warning', 'info'], 'Severity the program gave.'),
          'Only these levels.',
          { uniqueItems: true },
        ),
        first_seen_in_release: text(
          'Only groups that appeared with this release, for example "checkout-api@2026.3.11".',
        ),
        assigned_to: text('User name, "#team", "me" or "nobody".'),
        handled: choice(
          ['any', 'handled', 'unhandled'],
          'Whether the program caught the exception.',
          'any',
        ),
        min_events: integer('Only groups with at least this many events in the period.', {
          minimum: 1,
        }),
        sort: choice(
          ['last_seen', 'first_seen', 'events', 'users', 'trend'],
          'Order, largest or newest first.',
          'last_seen',
        ),
        limit: integer('How many groups to return.', { minimum: 1, maximum: 100, default: 20 }),
        cursor,
      },
      ['organisation'],
    ),
    annotations: { title: 'Search error groups', readOnlyHint: true },
  },
  {
    name: 'get_error_group',
    description: lines(
      'Get one error group with a representative event: exception chain, stack trace with ' +
        'source lines, breadcrumbs, request, tags, and how events are spread over releases, ' +
        'regions, browsers and the like.',
      'Frames outside your own code are folded. Personal data is scrubbed. suspect_commits ' +
        'names changes that touched the failing lines shortly before the first event: likely, ' +
        'not certain.',
      'If the trace shows minified names, the source maps of that release were not uploaded: ' +
        'say so instead of guessing. Events of one group can differ in message; look at ' +
        'list_error_events before you conclude that all customers see the same.',
    ),
    inputSchema: object(
      {
        organisation,
        group_id: groupId,
        event: choice(['recommended', 'latest', 'oldest'], 'Which event to show.', 'recommended'),
        environment,
        period,
        include: list(
          choice(
            [
              'stack_trace',
              'all_frames',
              'breadcrumbs',
              'request',
              'tags',
              'suspect_commits',
              'comments',
              'similar_groups',
            ],
            'One part of the answer.',
          ),
          'Parts to return.',
          { uniqueItems: true, default: ['stack_trace', 'tags', 'suspect_commits'] },
        ),
        tag_values: integer('Most frequent values shown for each tag.', {
          minimum: 1,
          maximum: 25,
          default: 5,
        }),
      },
      ['organisation', 'group_id'],
    ),
    annotations: { title: 'Get error group', readOnlyHint: true },
  },
  {
    name: 'list_error_events',
    description:
      'List single events of an error group, newest first, with time, release, user, tags ' +
      'and message. Use it to compare occurrences or to find one request by its trace id; ' +
      'for totals and spread, get_error_group is enough. Events are kept for 90 days and ' +
      'thinned out above 1,000 an hour.',
    inputSchema: object(
      {
        organisation,
        group_id: groupId,
        query: text('Conditions as tag:value, for example "release:2026.3.11 server:web-14".'),
        environment,
        period,
        trace_id: text('Only the event of this trace.', { pattern: '^[0-9a-f]{32}$' }),
        full: flag('Return stack trace and request of each event. At most 10 events then.', false),
        limit: integer('How many events to return.', { minimum: 1, maximum: 100, default: 25 }),
        cursor,
      },
      ['organisation', 'group_id'],
    ),
    annotations: { title: 'List error events', readOnlyHint: true },
  },
  {
    name: 'update_error_group',
    description: lines(
      'Resolve, ignore, reopen, assign or merge error groups, up to 100 at a time.',
      'Prefer "resolved in release" over plain "resolved" when a fix is under way: events of ' +
        'older releases then no longer reopen the group, events of that release or later do. ' +
        'Merging cannot be undone in one step. Say in comment why, the next person on call ' +
        'will thank you.',
      'Errors worth handling: release_unknown (the release has not reported yet, use ' +
        'next_release), already_in_state, merge_across_projects. People who follow a group are ' +
        'notified of state changes, not of priority.',
    ),
    inputSchema: object(
      {
        organisation,
        group_ids: list(groupId, 'Groups to change. The first is the one others are merged into.', {
          minItems: 1,
          maxItems: 100,
        }),
        state: {
          description: 'New state. Unchanged when left out.',
          oneOf: [
            object(
              {
                to: { const: 'resolved' },
                in: choice(
                  ['now', 'next_release', 'release', 'commit'],
                  'From when on events count as a regression.',
                  'now',
                ),
                release: text('For "release": its version.'),
                commit: text('For "commit": owner/repo@hash.'),
              },
              ['to'],
              'Done.',
            ),
            object(
              {
                to: { const: 'ignored' },
                until: choice(
                  ['forever', 'escalating', 'time', 'count'],
                  'When it comes back.',
                  'escalating',
                ),
                until_time: text('For "time".', { format: 'date-time' }),
                until_count: integer('For "count": further events.', { minimum: 1 }),
              },
              ['to'],
              'Not now.',
            ),
            object({ to: { const: 'unresolved' } }, ['to'], 'Open again.'),
          ],
        },
        assign_to: text('User name, "#team", or an empty string for nobody.'),
        priority: choice(['low', 'medium', 'high'], 'Overrides what Stumble worked out.'),
        merge: flag('Fold all of group_ids into one.', false),
        comment: text('Note in the activity of the group, in Markdown.', { maxLength: 4000 }),
      },
      ['organisation', 'group_ids'],
    ),
    annotations: { title: 'Update error group', destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'get_release_health',
    description:
      'Tell how a release is doing beside the one before: share of sessions and users ' +
      'without a crash, adoption, new and regressed error groups, commits and authors. Give ' +
      'two releases to compare them side by side. Wait for at least 5 % adoption before you ' +
      'judge; the answer carries a warning below that.',
    inputSchema: object(
      {
        organisation,
        project: text('Slug of the project.'),
        release: text('Version such as "checkout-api@2026.3.11", or "latest".'),
        compare_with: text('Other version. The one before when left out.'),
        environment,
        period,
        metrics: list(
          choice(
            [
              'crash_free_sessions',
              'crash_free_users',
              'adoption',
              'events',
              'new_groups',
              'regressed_groups',
              'duration_p50',
              'duration_p95',
            ],
            'One figure.',
          ),
          'Figures to return. All of them when left out.',
          { uniqueItems: true },
        ),
        interval: choice(
          ['none', '5m', '1h', '1d'],
          'Return figures over time in steps of this length.',
          'none',
        ),
        include_commits: flag(
          'List the commits of the release with author and pull request, newest first.',
          false,
        ),
        split_by: choice(
          ['none', 'region', 'platform', 'server'],
          'Tell figures apart by this tag.',
          'none',
        ),
      },
      ['organisation', 'project', 'release'],
    ),
    annotations: { title: 'Get release health', readOnlyHint: true },
  },
])
