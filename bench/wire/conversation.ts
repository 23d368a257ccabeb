/** One call of a loaded tool, and what the server answered. */
interface ScriptedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly result: string
}

/** One request to the model, and what the model replies to it. */
export interface Turn {
  /** What the user says before this request. Without it, the request carries tool results. */
  readonly user?: string
  readonly reply: {
    readonly text?: string
    /** A call of `tool_search`, and the tools that the conversation needs of what it finds. */
    readonly search?: { readonly query: string; readonly loads: readonly string[] }
    readonly calls?: readonly ScriptedCall[]
  }
}

const REPOSITORY = { owner: 'harbourline', repo: 'checkout-api' }
const BEFORE = 'v2026.3.10-2'
const AFTER = 'v2026.3.11-1'
const INCIDENT_LINK = 'https://banter.example/archives/C09INC311'

/**
 * An hour on call in 30 requests, as plain data of no provider: an alert, the cause in a pull
 * request, people told, the change taken back, the follow-up written down.
 */
export const conversation: readonly Turn[] = [
  {
    user:
      'I just got paged for checkout-api in eu-west, something about 5xx. Can you find out what ' +
      'is going on? Our Stumble organisation is "harbourline".',
    reply: {
      text: 'I will start with what is firing and how the error rate has moved.',
      search: {
        query: 'list firing alerts, query error rate metrics',
        loads: ['mcp__dialhouse__list_alerts', 'mcp__dialhouse__query_metrics'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__dialhouse__list_alerts',
          arguments: {
            show: 'firing',
            matchers: [{ label: 'service', operator: '=~', value: 'checkout-api|orders-db' }],
            severities: ['page', 'ticket'],
            include_silenced: true,
          },
          result: `3 firing, 0 silenced

1. CheckoutHighErrorRate  severity=page  service=checkout-api region=eu-west
   value 6.8 % of requests with status 5xx, threshold 4 % for 5 m
   pending since 14:03:30Z, firing since 14:08:30Z on 2026-03-11; paged rota payments-primary
   run book https://runbooks.harbourline.example/checkout/5xx
2. CheckoutLatencyP95  severity=ticket  service=checkout-api region=eu-west
   value 4.9 s, threshold 1.2 s for 10 m; firing since 14:13:30Z
   run book https://runbooks.harbourline.example/checkout/latency
3. DbPoolWaiting  severity=ticket  service=checkout-api region=eu-west pool=orders
   value 212 callers waiting, threshold 20 for 5 m; firing since 14:09:00Z
   run book https://runbooks.harbourline.example/db/pool`,
        },
        {
          name: 'mcp__dialhouse__query_metrics',
          arguments: {
            queries: [
              {
                id: 'A',
                metric: 'http_requests_total',
                matchers: [
                  { label: 'service', value: 'checkout-api' },
                  { label: 'status', operator: '=~', value: '5..' },
                ],
                function: 'rate',
                window: '5m',
                aggregate: 'sum',
                by: ['region'],
              },
              {
                id: 'B',
                metric: 'http_requests_total',
                matchers: [{ label: 'service', value: 'checkout-api' }],
                function: 'rate',
                window: '5m',
                aggregate: 'sum',
                by: ['region'],
              },
            ],
            formula: 'A / B * 100',
            from: '2026-03-11T13:40:00Z',
            to: '2026-03-11T14:20:00Z',
            step: '5m',
          },
          result: `formula A / B * 100, step 5m, UTC

time   eu-west  us-east  ap-south
13:40     0.11     0.09      0.14
13:45     0.12     0.10      0.12
13:50     0.10     0.09      0.13
13:55     0.11     0.11      0.12
14:00     0.34     0.10      0.13
14:05     4.72     0.10      0.12
14:10     6.61     0.11      0.14
14:15     6.84     0.10      0.13
14:20     6.79     0.09      0.12

3 series, 27 points, nothing left out`,
        },
      ],
    },
  },
  {
    reply: {
      text:
        'Only eu-west, since 14:00, and callers are waiting for the orders pool. Which ' +
        'exception is it?',
      search: {
        query: 'stack trace of error group',
        loads: ['mcp__stumble__search_error_groups', 'mcp__stumble__get_error_group'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__stumble__search_error_groups',
          arguments: {
            organisation: 'harbourline',
            projects: ['checkout-api'],
            query: 'region:eu-west',
            environment: 'production',
            period: '2h',
            states: ['new', 'escalating', 'regressed'],
            sort: 'trend',
            limit: 5,
          },
          result: `3 groups, sorted by trend, last 2 h, production

CHECKOUT-API-7Q2  new, unassigned, level error, unhandled
  PoolTimeoutError: no connection to "orders" within 2000 ms
  src/db/acquire.ts in acquireConnection, called from POST /v2/orders
  first seen 14:01:12Z in checkout-api@2026.3.11-1; last seen 14:21:40Z
  18,420 events (sampled), 6,115 users; region eu-west 100 %
CHECKOUT-API-7Q3  new, unassigned, level error, handled
  UpstreamError: inventory reservation expired before commit
  src/orders/place-order.ts in placeOrder
  first seen 14:02:47Z in checkout-api@2026.3.11-1; 1,904 events, 1,377 users
CHECKOUT-API-51F  escalating, assigned to #payments-core, level warning, handled
  RetryBudgetExhausted: gave up after 3 attempts
  src/http/retry.ts in withRetry
  first seen 2025-11-02 in checkout-api@2025.11.1-1; 2,310 events against 40 in the period before`,
        },
      ],
    },
  },
  {
    reply: {
      text: `Here is what I see so far:

- Server errors of checkout-api in eu-west went from 0.1 % to 6.8 % between 14:00 and 14:10 UTC. Other regions are fine.
- The main error is new: CHECKOUT-API-7Q2, "no connection to orders within 2000 ms", first seen at 14:01:12 in release 2026.3.11-1. About 6,100 users have met it.
- 212 callers are waiting for the orders connection pool, which also explains the latency alert.

So the pool is exhausted, and it began with that release. Shall I look at the logs and at what the release changed?`,
    },
  },
  {
    user:
      'Yes please. Is it really the release, or is the database itself slow? And what was in ' +
      'it?',
    reply: {
      text: 'I will look at one event in full, and at the logs to tell the two apart.',
      search: {
        query: 'search log lines of a service, count by field',
        loads: ['mcp__logbarn__search_logs'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__stumble__get_error_group',
          arguments: {
            organisation: 'harbourline',
            group_id: 'CHECKOUT-API-7Q2',
            event: 'recommended',
            environment: 'production',
            period: '2h',
            include: ['stack_trace', 'tags', 'suspect_commits'],
            tag_values: 3,
          },
          result: `CHECKOUT-API-7Q2  PoolTimeoutError: no connection to "orders" within 2000 ms

acquireConnection   src/db/acquire.ts:31
    29 |   const started = clock.now()
    30 |   const connection = await pool.acquire({ timeoutMs: settings.acquireTimeoutMs })
  > 31 |   if (!connection) throw new PoolTimeoutError(pool.name, settings.acquireTimeoutMs)
withTransaction     src/db/transaction.ts:18
placeOrder          src/orders/place-order.ts:74
handlePostOrder     src/http/routes/orders.ts:41
(9 frames of libraries folded)

tags: region eu-west 100 %; release 2026.3.11-1 100 %; server web-eu-03 9 %, web-eu-11 9 %, web-eu-07 8 %
context: pool.size 8, pool.in_use 8, pool.waiting 197
suspect commits: 0d9be51f "Read pool settings from the shared config service" (tomas.ek, 2026-03-11)`,
        },
        {
          name: 'mcp__logbarn__search_logs',
          arguments: {
            query: '',
            indexes: ['app-checkout'],
            from: '2026-03-11T13:45:00Z',
            to: '2026-03-11T14:20:00Z',
            filters: [
              { field: 'service', value: 'checkout-api' },
              { field: 'region', value: 'eu-west' },
              { field: 'event', operator: 'in', value: ['pool.acquired', 'query.done'] },
            ],
            pipeline: [
              {
                step: 'stats',
                functions: [
                  { function: 'count', as: 'lines' },
                  { function: 'p95', field: 'wait_ms', as: 'p95_wait_ms' },
                  { function: 'p95', field: 'query_ms', as: 'p95_query_ms' },
                  { function: 'max', field: 'pool.size', as: 'pool_size' },
                ],
                by: ['version'],
                every: '10m',
              },
              { step: 'sort', field: 'time', direction: 'asc' },
            ],
            limit: 20,
          },
          result: `7 rows from 1,284,377 lines, 38 GB read, complete

time   version       lines    p95_wait_ms  p95_query_ms  pool_size
13:45  2026.3.10-2   341,902            3            11         40
13:55  2026.3.10-2   352,118            4            12         40
13:55  2026.3.11-1     4,871           61            11          8
14:05  2026.3.10-2    40,227            5            12         40
14:05  2026.3.11-1   287,340        1,968            12          8
14:15  2026.3.10-2        12            4            11         40
14:15  2026.3.11-1   257,907        1,997            12          8`,
        },
      ],
    },
  },
  {
    reply: {
      text:
        'Queries are as fast as before; the pool shrank from 40 to 8 connections with the new ' +
        'version. Now what was deployed and what changed in it.',
      search: {
        query: 'list deployments of an environment, compare two tags of a repository',
        loads: ['mcp__coppice__list_deployments', 'mcp__coppice__compare_refs'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__coppice__list_deployments',
          arguments: {
            ...REPOSITORY,
            since: '2026-03-10T00:00:00Z',
            until: '2026-03-11T14:30:00Z',
            include: ['previous', 'workflow_run'],
            first: 5,
          },
          result: `[
  {"id": 90417, "environment": "production-eu", "version": "2026.3.11-1", "ref": "v2026.3.11-1", "commit": "c41d7e09", "state": "active", "share": 1, "actor": "delivery-bot", "started_at": "2026-03-11T13:57:20Z", "active_at": "2026-03-11T14:11:05Z", "previous": {"id": 90388, "version": "2026.3.10-2"}, "workflow_run": 7731904412},
  {"id": 90416, "environment": "staging", "version": "2026.3.11-1", "ref": "v2026.3.11-1", "commit": "c41d7e09", "state": "active", "share": 1, "actor": "delivery-bot", "started_at": "2026-03-11T12:20:41Z", "active_at": "2026-03-11T12:26:13Z", "previous": {"id": 90379, "version": "2026.3.10-2"}, "workflow_run": 7731621870},
  {"id": 90388, "environment": "production-eu", "version": "2026.3.10-2", "ref": "v2026.3.10-2", "commit": "5be9a3f2", "state": "inactive", "actor": "delivery-bot", "started_at": "2026-03-10T15:02:11Z", "active_at": "2026-03-10T15:16:40Z", "replaced_at": "2026-03-11T14:11:05Z", "workflow_run": 7728840155}
]
production-us and production-ap: scheduled for 15:00Z and 16:00Z, state queued (ids 90418, 90419)`,
        },
        {
          name: 'mcp__coppice__compare_refs',
          arguments: {
            ...REPOSITORY,
            base: BEFORE,
            head: AFTER,
            show: ['commits', 'pull_requests', 'files'],
            group_commits_by: 'pull_request',
          },
          result: `v2026.3.10-2...v2026.3.11-1: 9 commits, 4 pull requests, 17 files

#4179 Translate receipts into Portuguese (ines.moura), 2 commits
  locales/pt.json +212 -0, src/receipts/locale.ts +6 -1
#4182 Read pool settings from the shared config service (tomas.ek), 4 commits
  src/db/pool.ts +48 -31, src/db/pool-settings.ts +57 -0, src/db/acquire.ts +3 -2,
  config/defaults.yaml +9 -4, test/db/pool.test.ts +40 -22
#4185 Bump http client to 8.2 (update-bot), 1 commit
  package.json +1 -1, package-lock.json +14 -14
#4186 Log the age of idempotency keys (nadia.osei), 2 commits
  src/orders/idempotency.ts +11 -2, test/orders/idempotency.test.ts +18 -0, and 6 more`,
        },
      ],
    },
  },
  {
    reply: {
      text: '#4182 touches exactly the pool settings. I will read it.',
      search: {
        query: 'read pull request and its diff',
        loads: ['mcp__coppice__get_pull_request', 'mcp__coppice__get_pull_request_diff'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__coppice__get_pull_request',
          arguments: {
            ...REPOSITORY,
            pull_number: 4182,
            include: ['checks', 'reviews', 'linked_issues'],
          },
          result: `#4182 Read pool settings from the shared config service
merged by tomas.ek at 2026-03-11T11:48:02Z into main (squash, 0d9be51f); author tomas.ek
reviews: approved by kirsi.laine; checks: 14 passing

Moves pool size and timeouts out of our own environment variables, so that platform can tune all
services in one place. Falls back to config/defaults.yaml where the service has no entry.

Tried out on staging: pool comes up with the staging entry (size 10).
Still to do before production: platform adds entries for checkout-api in eu, us and ap.
Refs harbourline/platform-config#771 (open)`,
        },
        {
          name: 'mcp__coppice__get_pull_request_diff',
          arguments: {
            ...REPOSITORY,
            pull_number: 4182,
            format: 'patch',
            paths: ['src/db/pool-settings.ts', 'src/db/pool.ts', 'config/defaults.yaml'],
            context_lines: 1,
            ignore_whitespace: true,
          },
          result: `--- a/config/defaults.yaml
+++ b/config/defaults.yaml
@@ -11,5 +11,10 @@ database:
-  pool_size: \${ORDERS_POOL_SIZE:-40}
-  acquire_timeout_ms: 5000
+  # used where the config service has no entry for this service and region
+  pool:
+    size: 8
+    acquire_timeout_ms: 2000
--- a/src/db/pool.ts
+++ b/src/db/pool.ts
@@ -22,6 +22,7 @@ export async function openPool(name: string): Promise<Pool> {
-  const size = Number(env.ORDERS_POOL_SIZE ?? 40)
-  return createPool({ name, max: size, acquireTimeoutMs: 5_000 })
+  const { size, acquireTimeoutMs } = await readPoolSettings(name)
+  return createPool({ name, max: size, acquireTimeoutMs })
--- /dev/null
+++ b/src/db/pool-settings.ts
@@ -0,0 +18,7 @@
+export async function readPoolSettings(name: string): Promise<PoolSettings> {
+  const entry = await config.find('pools', { service: SERVICE, region: REGION, name })
+  // no entry is normal for small services
+  return entry ?? defaults.database.pool
+}
cut: 34 lines of src/db/pool-settings.ts (types and parsing)`,
        },
      ],
    },
  },
  {
    reply: {
      text: `It is the release, not the database: queries take 12 ms as before, but the pool has 8 connections where it had 40.

The cause is #4182 by tomas.ek. It reads pool settings from the shared config service, and where there is no entry it falls back to a size of 8 and a timeout of 2 s. The entries for production were still to be added (harbourline/platform-config#771 is open), so eu-west runs on the fallback. Staging has an entry, which is why it looked fine there.

More to come if nothing is done: the same version is queued for production-us at 15:00 UTC and production-ap at 16:00 UTC.

I suggest to revert #4182. The other three pull requests of the release look harmless.`,
    },
  },
  {
    user:
      'Agreed. Before that, open an incident channel, get whoever is on call for payments ' +
      'in, and post a summary there. Public channel is fine.',
    reply: {
      text: 'I need the tools of the chat for that.',
      search: {
        query: 'find people on duty, create channel',
        loads: ['mcp__banter__create_channel', 'mcp__banter__find_people'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__banter__find_people',
          arguments: {
            query: '@oncall-payments',
            kinds: ['group', 'person'],
            on_call_only: true,
            fields: ['title', 'team', 'local_time', 'status'],
          },
          result: `1 group, 2 people on duty

group oncall-payments "On call for payments and checkout", rota payments-primary and payments-secondary
- U03H8T2LB Nadia Osei, staff engineer, Payments Core, primary until 2026-03-16 09:00Z
  local time 14:26 (Europe/London), active
- U05PLM7QX Kirsi Laine, engineer, Payments Core, secondary until 2026-03-16 09:00Z
  local time 16:26 (Europe/Helsinki), active, status "in review"`,
        },
        {
          name: 'mcp__banter__create_channel',
          arguments: {
            name: 'inc-20260311-checkout-eu',
            private: false,
            purpose: 'Incident: checkout-api in eu-west answers 5xx since 14:00 UTC',
            topic: 'Cause found (#4182, pool size 8 instead of 40), revert in preparation',
            invite: { groups: ['oncall-payments'] },
            links: [
              {
                title: 'Run book',
                url: 'https://runbooks.harbourline.example/checkout/5xx',
                emoji: 'book',
              },
              {
                title: 'Pull request 4182',
                url: 'https://coppice.example/harbourline/checkout-api/pull/4182',
              },
            ],
          },
          result: `{"ok": true, "channel": {"id": "C09INC311", "name": "inc-20260311-checkout-eu", "private": false, "created": "2026-03-11T14:26:48Z", "link": "https://banter.example/archives/C09INC311"}, "invited": ["U03H8T2LB", "U05PLM7QX"], "failed_invitations": [], "links_added": 2}`,
        },
      ],
    },
  },
  {
    reply: {
      search: {
        query: 'banter send message',
        loads: ['mcp__banter__send_message'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__banter__send_message',
          arguments: {
            to: { channel: 'C09INC311' },
            text:
              'checkout-api in eu-west answers 6.8 % of requests with 5xx since 14:00 UTC. ' +
              'Cause: #4182 lets the orders pool fall back to 8 connections. Next step: ' +
              'revert. <@U03H8T2LB> <@U05PLM7QX>',
            blocks: [
              { kind: 'heading', text: 'checkout-api: 5xx in eu-west since 14:00 UTC' },
              {
                kind: 'section',
                text:
                  'Release 2026.3.11-1 reads pool settings from the shared config service. ' +
                  'There is no entry for eu-west, so the *orders* pool runs with 8 connections ' +
                  'instead of 40. Queries are as fast as ever; callers wait for a connection.',
                fields: [
                  { label: 'Impact', value: '6.8 % of requests, about 6,100 users' },
                  { label: 'Regions', value: 'eu-west only, us and ap not deployed yet' },
                  { label: 'Error', value: 'CHECKOUT-API-7Q2' },
                  { label: 'Change', value: '#4182 by tomas.ek' },
                ],
              },
              {
                kind: 'section',
                text:
                  'Next: revert #4182 and deliver. Please hold the deliveries to us (15:00) ' +
                  'and ap (16:00).',
              },
              { kind: 'context', elements: ['Posted on behalf of the engineer who was paged'] },
            ],
            pin: true,
            mentions: { expand_groups: false, allow_here: false },
            metadata: {
              event_type: 'incident_opened',
              payload: { service: 'checkout-api', region: 'eu-west', group: 'CHECKOUT-API-7Q2' },
            },
            client_key: 'inc-20260311-summary',
          },
          result: `{"ok": true, "channel": "C09INC311", "message_id": "1773239271.004519", "link": "https://banter.example/archives/C09INC311/p1773239271004519", "pinned": true, "notified": ["U03H8T2LB", "U05PLM7QX"], "unfurled": 0}`,
        },
      ],
    },
  },
  {
    reply: {
      text: `Done. The channel is #inc-20260311-checkout-eu (${INCIDENT_LINK}). Nadia Osei (primary) and Kirsi Laine (secondary) were invited and mentioned in the summary, which is pinned. It also asks to hold the deliveries to us and ap.

Shall I prepare the revert of #4182 now?`,
    },
  },
  {
    user:
      'Yes, open the revert with Nadia as reviewer (nadia.osei) and tell me when its checks are ' +
      'through. Do not merge yet.',
    reply: {
      search: {
        query: 'revert pull request',
        loads: ['mcp__coppice__revert_pull_request'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__coppice__revert_pull_request',
          arguments: {
            ...REPOSITORY,
            pull_number: 4182,
            title: 'Revert "Read pool settings from the shared config service"',
            body: `Takes back #4182. In eu-west the config service has no entry for checkout-api, so the orders pool fell back to 8 connections and callers time out (CHECKOUT-API-7Q2).

Contains no migration. Can come again once harbourline/platform-config#771 is done.

Incident: ${INCIDENT_LINK}`,
            reviewers: ['nadia.osei'],
            labels: ['incident', 'revert'],
            auto_merge: false,
            idempotency_key: 'revert-4182-20260311',
          },
          result: `{"number": 4190, "title": "Revert \\"Read pool settings from the shared config service\\"", "state": "open", "draft": false, "head": {"branch": "revert-4182-pool-settings", "commit": "a7f30c6d"}, "base": "main", "conflicts": [], "reviewers": ["nadia.osei"], "labels": ["incident", "revert"], "mergeable": "unknown", "url": "https://coppice.example/harbourline/checkout-api/pull/4190"}`,
        },
      ],
    },
  },
  {
    reply: {
      text: 'The revert is open as #4190, without conflicts. Now its checks.',
      search: {
        query: 'workflow runs of a branch, status of CI checks',
        loads: ['mcp__coppice__list_workflow_runs', 'mcp__coppice__get_workflow_run'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__coppice__list_workflow_runs',
          arguments: {
            ...REPOSITORY,
            branch: 'revert-4182-pool-settings',
            commit: 'a7f30c6d',
            event: 'pull_request',
            per_page: 10,
            answer: {
              fields: ['id', 'workflow', 'status', 'conclusion', 'duration', 'url'],
              format: 'table',
            },
          },
          result: `3 runs for a7f30c6d

id          workflow         status     conclusion  duration  url
7732118803  test.yaml        completed  success     4m 52s    https://coppice.example/harbourline/checkout-api/runs/7732118803
7732118804  lint.yaml        completed  success     1m 08s    https://coppice.example/harbourline/checkout-api/runs/7732118804
7732118809  load-smoke.yaml  completed  success     6m 31s    https://coppice.example/harbourline/checkout-api/runs/7732118809`,
        },
        {
          name: 'mcp__coppice__get_pull_request',
          arguments: { ...REPOSITORY, pull_number: 4190, include: ['checks', 'reviews'] },
          result: `#4190 Revert "Read pool settings from the shared config service"
open, author you, head revert-4182-pool-settings (a7f30c6d), base main
labels: incident, revert
reviews: approved by nadia.osei at 14:38:10Z, "pool back to 40, matches what we had on Monday"
checks: 14 of 14 passing, required ones included
mergeable: yes; blocked_by: nothing; merge window open until 17:00Z`,
        },
      ],
    },
  },
  {
    reply: {
      text:
        'All checks of #4190 have passed (tests, lint, load smoke), Nadia has approved it, and ' +
        'nothing is in the way of merging. I have not merged it. The merge window is open ' +
        'until 17:00 UTC.',
    },
  },
  {
    user:
      'Great, merge it, see it through to production-eu, and resolve the error groups in the ' +
      'release with the fix.',
    reply: {
      search: {
        query: 'merge pull request',
        loads: ['mcp__coppice__merge_pull_request'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__coppice__merge_pull_request',
          arguments: {
            ...REPOSITORY,
            pull_number: 4190,
            method: 'squash',
            expected_head: 'a7f30c6d',
            when: 'now',
            delete_branch: true,
            idempotency_key: 'merge-4190-20260311',
          },
          result: `{"merged": true, "commit": "e2b8814c", "method": "squash", "target": "main", "branch_deleted": true, "started_runs": [{"id": 7732240551, "workflow": "deliver.yaml", "version": "2026.3.11-2", "environments": ["staging", "production-eu"]}], "cancelled_deployments": [90418, 90419], "url": "https://coppice.example/harbourline/checkout-api/commit/e2b8814c"}`,
        },
      ],
    },
  },
  {
    reply: {
      text:
        'Merged as e2b8814c; the queued deliveries of the bad version to us and ap were ' +
        'cancelled by it.',
      search: {
        query: 'resolve error group in release',
        loads: ['mcp__stumble__update_error_group'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__coppice__get_workflow_run',
          arguments: {
            ...REPOSITORY,
            run_id: 7732240551,
            include: ['jobs', 'timing'],
            jobs: 'all',
          },
          result: `run 7732240551 deliver.yaml, main e2b8814c, version 2026.3.11-2: completed, success, 19m 44s

build            success   3m 12s
staging          success   4m 03s   100 % at 14:51:20Z
production-eu    success  11m 58s   10 % at 14:54:02Z, 50 % at 14:58:31Z, 100 % at 15:03:18Z
production-us    skipped            held by incident label
production-ap    skipped            held by incident label`,
        },
        {
          name: 'mcp__dialhouse__query_metrics',
          arguments: {
            queries: [
              {
                id: 'A',
                expression:
                  'sum by (region) ' +
                  '(rate(http_requests_total{service="checkout-api",status=~"5.."}[5m])) / ' +
                  'sum by (region) (rate(http_requests_total{service="checkout-api"}[5m])) * ' +
                  '100',
              },
              {
                id: 'B',
                metric: 'db_pool_waiting',
                matchers: [
                  { label: 'service', value: 'checkout-api' },
                  { label: 'region', value: 'eu-west' },
                  { label: 'pool', value: 'orders' },
                ],
                aggregate: 'max',
              },
            ],
            from: '2026-03-11T14:45:00Z',
            to: '2026-03-11T15:15:00Z',
            step: '5m',
          },
          result: `step 5m, UTC

time   A eu-west  A us-east  A ap-south  B
14:45       6.77       0.10        0.13  214
14:50       6.80       0.09        0.12  209
14:55       5.98       0.10        0.13  181
15:00       2.41       0.10        0.12   66
15:05       0.16       0.11        0.13    0
15:10       0.11       0.10        0.12    0
15:15       0.10       0.09        0.13    0`,
        },
        {
          name: 'mcp__stumble__update_error_group',
          arguments: {
            organisation: 'harbourline',
            group_ids: ['CHECKOUT-API-7Q2', 'CHECKOUT-API-7Q3'],
            state: { to: 'resolved', in: 'release', release: 'checkout-api@2026.3.11-2' },
            assign_to: '#payments-core',
            comment: `Pool of 8 connections by the fallback of #4182. Reverted in #4190, released as 2026.3.11-2. Incident: ${INCIDENT_LINK}`,
          },
          result: `{"updated": [{"id": "CHECKOUT-API-7Q2", "state": "resolved", "in_release": "checkout-api@2026.3.11-2", "last_seen": "2026-03-11T15:02:58Z", "events_since_release": 0}, {"id": "CHECKOUT-API-7Q3", "state": "resolved", "in_release": "checkout-api@2026.3.11-2", "last_seen": "2026-03-11T15:03:07Z", "events_since_release": 0}], "assigned_to": "#payments-core"}`,
        },
      ],
    },
  },
  {
    reply: {
      text: `It is over:

- #4190 is merged (e2b8814c) and 2026.3.11-2 serves all of production-eu since 15:03 UTC.
- Server errors in eu-west are back at 0.1 %, and nobody waits for the orders pool.
- CHECKOUT-API-7Q2 and 7Q3 are resolved in 2026.3.11-2 and assigned to #payments-core. Events from that release on would reopen them.
- The deliveries of the bad version to us and ap were cancelled.`,
    },
  },
  {
    user:
      'Thanks. Last thing: file a follow-up issue so the fallback cannot bite us again, and ' +
      'mark the incident on the checkout graphs.',
    reply: {
      search: {
        query: 'create issue in repository, annotate dashboard',
        loads: ['mcp__coppice__create_issue', 'mcp__dialhouse__annotate_dashboard'],
      },
    },
  },
  {
    reply: {
      calls: [
        {
          name: 'mcp__coppice__create_issue',
          arguments: {
            ...REPOSITORY,
            title: 'Refuse to start in production without an entry for the orders pool',
            body: `On 2026-03-11 the orders pool in eu-west ran with 8 connections for an hour, because the config service had no entry and #4182 fell back in silence.

Before #4182 comes again:
- [ ] entries for eu, us and ap exist (harbourline/platform-config#771)
- [ ] in production a missing entry stops the start instead of falling back
- [ ] the pool logs size and where it came from
- [ ] the load smoke test runs with production settings

Incident: ${INCIDENT_LINK}`,
            type: 'incident_follow_up',
            assignees: ['tomas.ek'],
            labels: ['incident', 'reliability'],
            fields: [
              { name: 'Team', value: 'Payments Core' },
              { name: 'Due', value: '2026-03-25' },
            ],
            idempotency_key: 'follow-up-20260311-pool',
          },
          result: `{"number": 4193, "title": "Refuse to start in production without an entry for the orders pool", "state": "open", "type": "incident_follow_up", "assignees": ["tomas.ek"], "labels": ["incident", "reliability"], "similar": [{"number": 3877, "title": "Pool size should be visible on the health page", "state": "open"}], "url": "https://coppice.example/harbourline/checkout-api/issues/4193"}`,
        },
        {
          name: 'mcp__dialhouse__annotate_dashboard',
          arguments: {
            start: '2026-03-11T14:00:00Z',
            end: '2026-03-11T15:03:18Z',
            title: 'checkout-api: orders pool exhausted in eu-west',
            text:
              'Pool of 8 instead of 40 connections after #4182, taken back by #4190. ' +
              'Follow-up: #4193.',
            kind: 'incident',
            tags: ['service:checkout-api', 'region:eu-west'],
            links: [
              { title: 'Incident channel', url: INCIDENT_LINK },
              {
                title: 'Follow-up',
                url: 'https://coppice.example/harbourline/checkout-api/issues/4193',
              },
            ],
          },
          result: `{"id": 55120, "kind": "incident", "start": "2026-03-11T14:00:00Z", "end": "2026-03-11T15:03:18Z", "tags": ["service:checkout-api", "region:eu-west"], "shown_on": [{"dashboard": "checkout-overview", "panels": 9}, {"dashboard": "payments-databases", "panels": 4}]}`,
        },
      ],
    },
  },
  {
    reply: {
      text: `Both are done. The follow-up is #4193, assigned to tomas.ek and due on 25 March: production should refuse to start without an entry for the pool. #3877, which wants the pool size on the health page, is related.

The incident is marked from 14:00 to 15:03 UTC on checkout-overview and payments-databases. That closes it from my side.`,
    },
  },
]
