import type { ToolDefinition } from 'toolsearch'

const customerId = { type: 'string', pattern: '^cus_', description: 'Customer id, "cus_..."' }

const amount = {
  type: 'integer',
  minimum: 1,
  description: 'Amount in the smallest unit of the currency: 1999 is 19.99 EUR.',
}

const currency = {
  type: 'string',
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 code, for example "EUR".',
}

const metadata = {
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 500 },
  maxProperties: 50,
  description: 'Notes of your own as names and values. Never shown to the customer.',
}

const idempotencyKey = {
  type: 'string',
  maxLength: 64,
  description: 'Any unique text. The same key within 24 hours does not act twice.',
}

const page = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  starting_after: { type: 'string', description: 'Id of the last item of the previous page.' },
}

const address = {
  type: 'object',
  properties: {
    line1: { type: 'string' },
    line2: { type: 'string' },
    city: { type: 'string' },
    postal_code: { type: 'string' },
    region: { type: 'string', description: 'State, province or county.' },
    country: {
      type: 'string',
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166-1 code of two letters.',
    },
  },
  required: ['line1', 'city', 'country'],
}

/** Tools of Tillway, an imaginary payment service: customers, invoices, refunds. */
export const paymentsTools: readonly ToolDefinition[] = [
  {
    name: 'mcp__payments__search_customers',
    description:
      'Find customers by name, email, or a value in their metadata. Returns ids with balance ' +
      'and number of active subscriptions.',
    source: 'mcp:payments',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'Part of a name or email address, or "key:value" for metadata.',
        },
        created_after: { type: 'string', format: 'date' },
        has_overdue_invoice: { type: 'boolean' },
        ...page,
      },
      required: ['query'],
    },
    annotations: { title: 'Search customers', readOnlyHint: true },
  },
  {
    name: 'mcp__payments__create_customer',
    description:
      'Create a customer to bill. Search first: two customers may share an email address, and ' +
      'duplicates are hard to merge.',
    source: 'mcp:payments',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 200 },
        email: { type: 'string', format: 'email' },
        phone: { type: 'string', description: 'With country code, for example "+351210000000".' },
        billing_address: address,
        tax_id: {
          type: 'object',
          properties: {
            kind: {
              type: 'string',
              enum: ['eu_vat', 'gb_vat', 'us_ein', 'ch_vat', 'au_abn', 'other'],
            },
            value: { type: 'string' },
          },
          required: ['kind', 'value'],
        },
        language: {
          type: 'string',
          default: 'en',
          description: 'Language of invoices and emails, as a BCP 47 tag.',
        },
        metadata,
        idempotency_key: idempotencyKey,
      },
      required: ['name', 'email'],
    },
    annotations: { title: 'Create customer', destructiveHint: false },
  },
  {
    name: 'mcp__payments__list_payments',
    description:
      'List payments, newest first, with status, amount, method and the reason when one failed.',
    source: 'mcp:payments',
    inputSchema: {
      type: 'object',
      properties: {
        customer_id: customerId,
        status: {
          type: 'string',
          enum: ['succeeded', 'pending', 'failed', 'refunded', 'disputed'],
        },
        created_after: { type: 'string', format: 'date-time' },
        created_before: { type: 'string', format: 'date-time' },
        minimum_amount: {
          ...amount,
          description: 'Only payments of at least this, in the smallest unit.',
        },
        currency,
        ...page,
      },
    },
    annotations: { title: 'List payments', readOnlyHint: true },
  },
  {
    name: 'mcp__payments__refund_payment',
    description:
      'Give back all or part of a payment to the card or account it came from. Money leaves ' +
      'the balance at once and a refund cannot be undone. Returns the refund with the day it ' +
      'should arrive.',
    source: 'mcp:payments',
    searchHint: 'money back reimburse return charge',
    inputSchema: {
      type: 'object',
      properties: {
        payment_id: { type: 'string', pattern: '^pay_', description: 'Payment id, "pay_..."' },
        amount: {
          ...amount,
          description: 'Part to give back, in the smallest unit. All that remains when left out.',
        },
        reason: {
          type: 'string',
          enum: [
            'requested_by_customer',
            'duplicate',
            'fraudulent',
            'product_unavailable',
            'other',
          ],
        },
        note: { type: 'string', maxLength: 500, description: 'For your own records.' },
        notify_customer: { type: 'boolean', default: true },
        idempotency_key: idempotencyKey,
      },
      required: ['payment_id', 'reason'],
    },
    annotations: { title: 'Refund payment', destructiveHint: true, openWorldHint: true },
  },
  {
    name: 'mcp__payments__create_invoice',
    description:
      'Create an invoice with one or more lines. It stays a draft that can be edited until it ' +
      'is finalised; then it gets a number and is sent or charged. Taxes are worked out from ' +
      'the address of the customer unless given. Returns the invoice with totals and a link ' +
      'to the PDF.',
    source: 'mcp:payments',
    inputSchema: {
      type: 'object',
      properties: {
        customer_id: customerId,
        currency,
        lines: {
          type: 'array',
          minItems: 1,
          maxItems: 250,
          items: {
            type: 'object',
            properties: {
              description: {
                type: 'string',
                maxLength: 500,
                description: 'What is sold, as the customer reads it.',
              },
              price_id: {
                type: 'string',
                description: 'A price from the catalogue, instead of unit_amount.',
              },
              unit_amount: amount,
              quantity: { type: 'number', exclusiveMinimum: 0, default: 1 },
              period: {
                type: 'object',
                description: 'Span of time the line is for.',
                properties: {
                  start: { type: 'string', format: 'date' },
                  end: { type: 'string', format: 'date' },
                },
                required: ['start', 'end'],
              },
              tax_rate_percent: { type: 'number', minimum: 0, maximum: 100 },
              discount: {
                type: 'object',
                description: 'Give one of percent and amount.',
                properties: { percent: { type: 'number', minimum: 0, maximum: 100 }, amount },
              },
            },
            required: ['description'],
          },
        },
        collection: {
          type: 'string',
          enum: ['send_invoice', 'charge_saved_method'],
          default: 'send_invoice',
        },
        due_days: {
          type: 'integer',
          minimum: 0,
          maximum: 180,
          default: 30,
          description: 'Days the customer has to pay.',
        },
        finalise: {
          type: 'boolean',
          default: false,
          description: 'Number it and send or charge it now. Cannot be undone.',
        },
        purchase_order: {
          type: 'string',
          description: 'Reference the customer wants on the invoice.',
        },
        shipping_address: address,
        footer: { type: 'string', maxLength: 2000 },
        metadata,
        idempotency_key: idempotencyKey,
      },
      required: ['customer_id', 'currency', 'lines'],
    },
    annotations: { title: 'Create invoice', destructiveHint: false, openWorldHint: true },
  },
  {
    name: 'mcp__payments__list_invoices',
    description:
      'List invoices by customer, status or due date. Use status "overdue" to see who owes money.',
    source: 'mcp:payments',
    inputSchema: {
      type: 'object',
      properties: {
        customer_id: customerId,
        status: {
          type: 'string',
          enum: ['draft', 'open', 'paid', 'overdue', 'void', 'uncollectible'],
        },
        due_before: { type: 'string', format: 'date' },
        due_after: { type: 'string', format: 'date' },
        ...page,
      },
    },
    annotations: { title: 'List invoices', readOnlyHint: true },
  },
  {
    name: 'mcp__payments__create_payment_link',
    description:
      'Create a web page where anyone with the link can pay a fixed amount or for chosen ' +
      'products. Good for a quick sale without an invoice.',
    source: 'mcp:payments',
    inputSchema: {
      type: 'object',
      properties: {
        title: { type: 'string', maxLength: 120 },
        amount,
        currency,
        methods: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['card', 'bank_transfer', 'direct_debit', 'wallet'] },
          default: ['card'],
        },
        single_use: {
          type: 'boolean',
          default: false,
          description: 'Close the page after the first payment.',
        },
        expires_at: { type: 'string', format: 'date-time' },
        return_url: { type: 'string', format: 'uri', description: 'Page shown after payment.' },
        collect: {
          type: 'array',
          uniqueItems: true,
          items: {
            type: 'string',
            enum: ['phone', 'billing_address', 'shipping_address', 'tax_id'],
          },
          description: 'What to ask of the payer besides the email.',
        },
        metadata,
      },
      required: ['title', 'amount', 'currency'],
    },
    annotations: { title: 'Create payment link', destructiveHint: false },
  },
  {
    name: 'mcp__payments__update_subscription',
    description:
      'Change the plan, the number of seats or the payment day of a subscription, pause it, ' +
      'or cancel it. Preview the cost first with preview set to true.',
    source: 'mcp:payments',
    inputSchema: {
      type: 'object',
      properties: {
        subscription_id: {
          type: 'string',
          pattern: '^sub_',
          description: 'Subscription id, "sub_..."',
        },
        action: { type: 'string', enum: ['change', 'pause', 'resume', 'cancel'] },
        price_id: { type: 'string', description: 'New plan, for "change".' },
        quantity: {
          type: 'integer',
          minimum: 1,
          description: 'New number of seats, for "change".',
        },
        effective: { type: 'string', enum: ['now', 'end_of_period'], default: 'end_of_period' },
        proration: {
          type: 'string',
          enum: ['credit_and_charge', 'next_invoice', 'none'],
          default: 'next_invoice',
          description: 'What happens to the part of the period already paid.',
        },
        cancellation_reason: {
          type: 'string',
          enum: ['too_expensive', 'missing_features', 'unused', 'switched', 'other'],
        },
        preview: {
          type: 'boolean',
          default: false,
          description: 'Return what it would cost and change nothing.',
        },
        idempotency_key: idempotencyKey,
      },
      required: ['subscription_id', 'action'],
    },
    annotations: { title: 'Update subscription', destructiveHint: true },
  },
  {
    name: 'mcp__payments__get_balance',
    description:
      'Get the money available, on its way in and on its way out, for each currency, with the ' +
      'next payout.',
    source: 'mcp:payments',
    inputSchema: { type: 'object', properties: { currency } },
    annotations: { title: 'Get balance', readOnlyHint: true },
  },
]
