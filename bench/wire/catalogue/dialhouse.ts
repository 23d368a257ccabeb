import type { ToolDefinition } from 'toolsearch'
import { choice, flag, integer, lines, list, object, type Properties, text } from './json-schema.ts'
import { serverTools } from './server-tools.ts'

const timeRange: Properties = {
  from: text('Start: ISO 8601, or an age such as "now-30m", "now-6h", "now-7d".', {
    default: 'now-1h',
  }),
  to: text('End, written the same way.', { default: 'now' }),
}

const matchers = list(
  object(
    {
      label: text('Name of the label, for example "service" or "region".'),
      operator: choice(
        ['=', '!=', '=~', '!~'],
        'Equal, not equal, matches or does not match a regular expression. Expressions are ' +
          'anchored at both ends.',
        '=',
      ),
      value: text('Value or expression.'),
    },
    ['label', 'value'],
  ),
  'Conditions on labels. All must hold.',
  { maxItems: 20 },
)

const folder = text(
  'Folder by its path, for example "Payments/Checkout". Folders below it count in.',
)

/** Dialhouse, an imaginary service for metrics, dashboards and alerts. */
export const dialhouse: readonly ToolDefinition[] = serverTools('dialhouse', [
  {
    name: 'query_metrics',
    description: lines(
      'Read time series: request rates, error rates, latencies, saturation and whatever else ' +
        'services report. Either describe the query in parts, or write an expression in the ' +
        'query language of the data source.',
      '',
      'Rules of thumb:',
      '- counters (names ending in _total) need "rate" or "increase"; the raw value says nothing',
      '- latencies are histograms: use quantile, never the average of averages',
      '- keep by short: each combination of labels is a series, and at most 100 series come back',
      '- for one number, such as the error rate now, set mode "instant"',
      'Points are thinned out to max_points. Missing points mean no data, not zero.',
      '',
      'Common metrics of our services: http_requests_total (service, region, route, status), ' +
        'http_request_duration_seconds (histogram), db_pool_in_use and db_pool_waiting ' +
        '(service, pool), process_cpu_seconds_total, queue_depth (queue). Status is a label ' +
        'with three digits: match 5.. for server errors.',
    ),
    inputSchema: object(
      {
        data_source: text('Name of the data source. The default one when left out.'),
        queries: list(
          {
            description: 'One query. Its letter can be used in formula.',
            oneOf: [
              object(
                {
                  id: text('Letter to refer to it by.', { pattern: '^[A-Z]$' }),
                  metric: text('Name of the metric, for example "http_requests_total".'),
                  matchers,
                  function: choice(
                    [
                      'none',
                      'rate',
                      'increase',
                      'delta',
                      'avg_over_time',
                      'max_over_time',
                      'min_over_time',
                    ],
                    'Applied to each series over window.',
                    'none',
                  ),
                  window: text('Length of the window.', { pattern: '^\\d+[smhd]$', default: '5m' }),
                  aggregate: choice(
                    ['none', 'sum', 'avg', 'min', 'max', 'count', 'quantile', 'topk'],
                    'How series are folded together.',
                    'sum',
                  ),
                  quantile: {
                    type: 'number',
                    description: 'For "quantile", between 0 and 1.',
                    minimum: 0,
                    maximum: 1,
                  },
                  k: integer('For "topk".', { minimum: 1, maximum: 50 }),
                  by: list(text('Name of a label.'), 'Labels that stay apart.', { maxItems: 5 }),
                },
                ['id', 'metric'],
                'A query in parts.',
              ),
              object(
                {
                  id: text('Letter to refer to it by.', { pattern: '^[A-Z]$' }),
                  expression: text('Expression in the language of the data source.', {
                    maxLength: 4000,
                  }),
                },
                ['id', 'expression'],
                'A query as text.',
              ),
            ],
          },
          'Queries to run together.',
          { minItems: 1, maxItems: 10 },
        ),
        formula: text(
          'Arithmetic over the letters, for example "A / B * 100". Series are paired by ' +
            'their labels.',
        ),
        mode: choice(['range', 'instant'], 'A series over time, or one value at the end.', 'range'),
        ...timeRange,
        step: text('Distance between points. Chosen to fit max_points when left out.', {
          pattern: '^\\d+[smhd]$',
        }),
        max_points: integer('Most points for each series.', {
          minimum: 10,
          maximum: 1000,
          default: 60,
        }),
        compare_to: choice(
          ['none', 'previous_period', 'day_before', 'week_before'],
          'Return the same for an earlier time as well.',
          'none',
        ),
      },
      ['queries'],
    ),
    annotations: { title: 'Query metrics', readOnlyHint: true },
  },
  {
    name: 'search_dashboards',
    description:
      'Find dashboards and panels by title, tag, folder or metric, with links that carry the ' +
      'time range and variables given. Use it to hand people the right picture, or to learn ' +
      'which metrics a team looks at (include_queries).',
    inputSchema: object(
      {
        query: text('Words from titles of dashboards and panels.'),
        tags: list(text('Tag.'), 'Only dashboards with all of these.'),
        folder,
        uses_metric: text('Only panels that query this metric.'),
        starred: flag('Only those the user has starred.', false),
        include_queries: flag('Return the query of each panel found.', false),
        variables: {
          type: 'object',
          description: 'Values for dashboard variables, put into the links.',
          additionalProperties: { type: 'string' },
        },
        ...timeRange,
        limit: integer('How many to return.', { minimum: 1, maximum: 100, default: 20 }),
      },
      ['query'],
    ),
    annotations: { title: 'Search dashboards', readOnlyHint: true },
  },
  {
    name: 'list_alerts',
    description: lines(
      'List alerts: those firing now, those that fired in a time range, or the rules behind ' +
        'them. Each comes with labels, value and threshold, since when, which rota was paged, ' +
        'the run book, and whether a silence covers it.',
      'Start here when someone was paged. Alerts with the same cause often fire together: ' +
        'group_by "service" shows the first of each.',
      'For "history" the answer has one row for each time an alert fired, with how long it ' +
        'lasted and who acknowledged it; use it to see whether an alert is flapping or is ' +
        'known to fire at this hour. "no_data" is a state of its own and usually means that ' +
        'the service stopped reporting, which is worse than a bad value.',
    ),
    inputSchema: object(
      {
        show: choice(['firing', 'history', 'rules'], 'What to list.', 'firing'),
        matchers,
        severities: list(
          choice(['page', 'ticket', 'info'], 'What an alert leads to.'),
          'Only these.',
          { uniqueItems: true },
        ),
        states: list(
          choice(['normal', 'pending', 'firing', 'no_data', 'error'], 'State of a rule.'),
          'For "rules": only these.',
          { uniqueItems: true },
        ),
        folder,
        include_silenced: flag('Return alerts that are silenced.', false),
        group_by: choice(['none', 'service', 'rule', 'team'], 'Fold alerts together.', 'none'),
        ...timeRange,
        limit: integer('How many to return.', { minimum: 1, maximum: 200, default: 50 }),
      },
      [],
    ),
    annotations: { title: 'List alerts', readOnlyHint: true },
  },
  {
    name: 'silence_alert',
    description: lines(
      'Stop notifications of alerts that match, for a limited time. The alerts go on being ' +
        'evaluated and shown. Silences need a comment and end by themselves; the longest is 7 ' +
        'days, for severity "page" 4 hours.',
      'Match as narrowly as you can: a silence on a region alone has hidden real outages ' +
        'before. The answer lists the alerts it covers now, check it. End one early with ' +
        'expire.',
      'Errors worth handling: too_broad (fewer than two matchers or more than 50 alerts), ' +
        'too_long for the severity, comment_too_short. Never silence to make a symptom go ' +
        'away: only while someone works on the cause or during planned work.',
    ),
    inputSchema: object(
      {
        action: {
          description: 'New silence, or the end of one.',
          oneOf: [
            object(
              {
                do: { const: 'create' },
                matchers: { ...matchers, minItems: 2 },
                duration_minutes: integer('How long.', { minimum: 5, maximum: 10080, default: 60 }),
                comment: text('Why, and who is working on it.', { minLength: 10 }),
                incident: text('Link to the incident.', { format: 'uri' }),
              },
              ['do', 'matchers', 'comment'],
              'Create.',
            ),
            object(
              { do: { const: 'expire' }, silence_id: text('Id from create or list_alerts.') },
              ['do', 'silence_id'],
              'End now.',
            ),
          ],
        },
      },
      ['action'],
    ),
    annotations: { title: 'Silence alert', destructiveHint: true },
  },
  {
    name: 'annotate_dashboard',
    description:
      'Mark a moment or a span on dashboards, so that people looking at the graphs later see ' +
      'what happened: deployments, incidents, flag changes, load tests. Without dashboard ' +
      'the mark shows on every graph whose labels match tags.',
    inputSchema: object(
      {
        dashboard: text('Id of one dashboard from search_dashboards.'),
        panel_id: integer('One panel of it.', { minimum: 1 }),
        start: text('When it happened or began.', { format: 'date-time' }),
        end: text('When it ended. Leave out for a moment.', { format: 'date-time' }),
        title: text('Shown beside the mark.', { minLength: 1, maxLength: 120 }),
        text: text('Details in Markdown, shown when pointed at.', { maxLength: 2000 }),
        kind: choice(
          ['deployment', 'incident', 'configuration', 'experiment', 'note'],
          'Decides colour and icon.',
          'note',
        ),
        tags: list(
          text('label:value, for example "service:checkout-api".', { pattern: '^[^:]+:.+$' }),
          'Which graphs it belongs to.',
          { maxItems: 20 },
        ),
        links: list(
          object(
            { title: text('Text of the link.'), url: text('Where it leads.', { format: 'uri' }) },
            ['title', 'url'],
          ),
          'Links shown with it.',
          { maxItems: 5 },
        ),
      },
      ['start', 'title'],
    ),
    annotations: { title: 'Annotate dashboard', destructiveHint: false },
  },
])
