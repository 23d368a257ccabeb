import type { ToolDefinition } from 'toolsearch'

const service = {
  type: 'string',
  description: 'Service name as it appears in list_services, for example "checkout-api".',
}

const environment = {
  type: 'string',
  enum: ['production', 'staging', 'development'],
  default: 'production',
}

const timeRange = {
  from: {
    type: 'string',
    default: '-1h',
    description: 'Start: a date-time, or an age such as "-15m", "-6h", "-7d".',
  },
  to: { type: 'string', default: 'now', description: 'End, written the same way.' },
}

/** Tools of Lookout, an imaginary monitoring service: metrics, logs, traces, alerts. */
export const monitoringTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__monitoring__list_services',
    description:
      'List the services that report to Lookout, with health, owner and current error rate. ' +
      'Use it to get the exact service names the other tools want.',
    source: 'mcp:monitoring',
    inputSchema: {
      type: 'object',
      properties: {
        environment,
        team: { type: 'string', description: 'Only services owned by this team.' },
        health: { type: 'string', enum: ['healthy', 'degraded', 'down'] },
      },
    },
    annotations: { title: 'List services', readOnlyHint: true },
  },
  {
    name: 'mcp__monitoring__query_metrics',
    description:
      'Read one or more metrics over a span of time, grouped and combined as asked. Use it ' +
      'for questions such as how the error rate or the latency of a service has changed. ' +
      'Returns one series for each group, with at most 500 points each.',
    source: 'mcp:monitoring',
    inputSchema: {
      type: 'object',
      properties: {
        queries: {
          type: 'array',
          minItems: 1,
          maxItems: 10,
          items: {
            type: 'object',
            properties: {
              label: {
                type: 'string',
                description: 'Name for the series in the answer and in formulas.',
              },
              metric: {
                type: 'string',
                description: 'Metric name, for example "http.request.duration".',
              },
              aggregation: {
                type: 'string',
                enum: ['avg', 'sum', 'min', 'max', 'count', 'rate', 'p50', 'p90', 'p95', 'p99'],
                default: 'avg',
              },
              filters: {
                type: 'array',
                description: 'Conditions on tags. All must hold.',
                items: {
                  type: 'object',
                  properties: {
                    tag: {
                      type: 'string',
                      description: 'Tag such as "service", "region" or "status_code".',
                    },
                    operator: {
                      type: 'string',
                      enum: ['is', 'is_not', 'matches', 'in'],
                      default: 'is',
                    },
                    values: { type: 'array', items: { type: 'string' }, minItems: 1 },
                  },
                  required: ['tag', 'values'],
                },
              },
              group_by: {
                type: 'array',
                items: { type: 'string' },
                maxItems: 4,
                description: 'Tags that each get a series of their own.',
              },
            },
            required: ['metric'],
          },
        },
        formula: {
          type: 'string',
          description: 'Arithmetic over labels, for example "errors / requests * 100".',
        },
        environment,
        ...timeRange,
        step: {
          type: 'string',
          pattern: '^\\d+[smhd]$',
          description: 'Time between points. Chosen to fit when left out.',
        },
        compare_with: {
          type: 'string',
          enum: ['previous_period', 'previous_day', 'previous_week'],
          description: 'Return the same series for an earlier span too.',
        },
        fill: {
          type: 'string',
          enum: ['none', 'zero', 'last', 'linear'],
          default: 'none',
          description: 'What to put where there is no data.',
        },
        top: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 20,
          description: 'Keep only the groups with the highest values.',
        },
      },
      required: ['queries'],
    },
    annotations: { title: 'Query metrics', readOnlyHint: true },
  },
  {
    name: 'mcp__monitoring__search_logs',
    description:
      'Search log lines by text and by field, newest first. Use patterns mode first on a ' +
      'noisy service: it groups similar lines and counts them.',
    source: 'mcp:monitoring',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description:
            'Words and field conditions, for example "timeout service:checkout-api status:>=500".',
        },
        services: { type: 'array', items: service },
        levels: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['debug', 'info', 'warn', 'error', 'fatal'] },
        },
        trace_id: { type: 'string', description: 'Only lines written while serving this trace.' },
        environment,
        ...timeRange,
        mode: { type: 'string', enum: ['lines', 'patterns', 'count'], default: 'lines' },
        fields: {
          type: 'array',
          items: { type: 'string' },
          description: 'Fields to return. Time, level, service and message when left out.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
        cursor: { type: 'string' },
      },
      required: ['query'],
    },
    annotations: { title: 'Search logs', readOnlyHint: true },
  },
  {
    name: 'mcp__monitoring__get_trace',
    description:
      'Get one distributed trace as a tree of spans with durations and errors. The slowest ' +
      'path is marked.',
    source: 'mcp:monitoring',
    inputSchema: {
      type: 'object',
      properties: {
        trace_id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
        minimum_duration_ms: {
          type: 'number',
          minimum: 0,
          default: 0,
          description: 'Hide shorter spans.',
        },
        include_attributes: { type: 'boolean', default: false },
      },
      required: ['trace_id'],
    },
    annotations: { title: 'Get trace', readOnlyHint: true },
  },
  {
    name: 'mcp__monitoring__list_alerts',
    description:
      'List alerts that are firing now, or that fired in a span of time, with the monitor ' +
      'behind each.',
    source: 'mcp:monitoring',
    inputSchema: {
      type: 'object',
      properties: {
        state: {
          type: 'string',
          enum: ['firing', 'acknowledged', 'resolved', 'any'],
          default: 'firing',
        },
        severity: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['critical', 'high', 'medium', 'low'] },
        },
        service,
        environment,
        ...timeRange,
      },
    },
    annotations: { title: 'List alerts', readOnlyHint: true },
  },
  {
    name: 'mcp__monitoring__acknowledge_alert',
    description:
      'Tell everyone that you are looking at an alert. Stops it from paging further people.',
    source: 'mcp:monitoring',
    inputSchema: {
      type: 'object',
      properties: {
        alert_id: { type: 'string' },
        note: { type: 'string', maxLength: 500 },
        for_minutes: {
          type: 'integer',
          minimum: 5,
          maximum: 1440,
          default: 60,
          description: 'Page again if it still fires after this.',
        },
      },
      required: ['alert_id'],
    },
    annotations: { title: 'Acknowledge alert', destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'mcp__monitoring__create_monitor',
    description:
      'Create a monitor that watches a metric, a log search or a web address, and alerts ' +
      'people when it crosses a threshold. The condition is tried on the last day of data ' +
      'first, and the answer tells how often it would have fired.',
    source: 'mcp:monitoring',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 120 },
        kind: { type: 'string', enum: ['metric', 'log', 'uptime', 'anomaly'] },
        query: {
          type: 'string',
          description: 'Metric expression, log search, or address to call, depending on kind.',
        },
        condition: {
          type: 'object',
          properties: {
            operator: {
              type: 'string',
              enum: ['above', 'above_or_equal', 'below', 'below_or_equal'],
            },
            critical: { type: 'number', description: 'Value that fires the alert.' },
            warning: { type: 'number', description: 'Value that fires a warning.' },
            recovery: {
              type: 'number',
              description:
                'Value at which the alert ends. Set it apart from critical to avoid flapping.',
            },
            for_minutes: {
              type: 'integer',
              minimum: 0,
              maximum: 1440,
              default: 5,
              description: 'How long the condition must hold.',
            },
            on_missing_data: {
              type: 'string',
              enum: ['ignore', 'alert', 'resolve'],
              default: 'ignore',
            },
          },
          required: ['operator', 'critical'],
        },
        service,
        environment,
        severity: { type: 'string', enum: ['critical', 'high', 'medium', 'low'], default: 'high' },
        notify: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: {
              kind: { type: 'string', enum: ['on_call', 'chat', 'email', 'webhook'] },
              target: {
                type: 'string',
                description: 'Rota name, channel, address or URL, depending on kind.',
              },
              only_at: { type: 'string', enum: ['always', 'working_hours'], default: 'always' },
            },
            required: ['kind', 'target'],
          },
        },
        message: {
          type: 'string',
          description: 'What the reader should know and do first, in Markdown.',
        },
        runbook_url: { type: 'string', format: 'uri' },
        tags: { type: 'array', items: { type: 'string' } },
        renotify_minutes: {
          type: 'integer',
          minimum: 10,
          maximum: 1440,
          description: 'Notify again at this interval while it fires.',
        },
      },
      required: ['name', 'kind', 'query', 'condition', 'notify'],
    },
    annotations: { title: 'Create monitor', destructiveHint: false },
  },
  {
    name: 'mcp__monitoring__mute_monitor',
    description:
      'Silence a monitor, or every monitor of a service, for a while. Use it before planned ' +
      'maintenance.',
    source: 'mcp:monitoring',
    searchHint: 'downtime snooze silence',
    inputSchema: {
      type: 'object',
      properties: {
        monitor_id: {
          type: 'string',
          description: 'One monitor. Leave out and give service for all of its monitors.',
        },
        service,
        until: { type: 'string', format: 'date-time', description: 'At most seven days ahead.' },
        reason: { type: 'string' },
      },
      required: ['until', 'reason'],
    },
    annotations: { title: 'Mute monitor', destructiveHint: true, idempotentHint: true },
  },
  {
    name: 'mcp__monitoring__get_on_call',
    description:
      'Tell who is on call for a team or service now, or at another time, and who comes next.',
    source: 'mcp:monitoring',
    searchHint: 'rota pager responder duty',
    inputSchema: {
      type: 'object',
      properties: {
        team: { type: 'string' },
        service,
        at: { type: 'string', format: 'date-time', description: 'Now when left out.' },
      },
    },
    annotations: { title: 'Get on call', readOnlyHint: true },
  },
]
