/**
 * Products and services that people name in requests, in lower case. If a request names one that no
 * tool mentions, the tools it finds are probably those of another product.
 */
const PRODUCTS: ReadonlySet<string> = new Set(
  `activecampaign adobe adyen airbnb airbyte airtable algolia alexa amazon ansible apify asana ashby atlassian auth0
  aweber aws azure bamboohr basecamp bigcommerce bigquery bitbucket bitwarden bluesky braintree brevo buildkite
  calendly canva cassandra chargebee chatgpt circleci clickhouse clickup clockify cloudflare cloudinary coda
  codepen coinbase confluence contentful crunchbase databricks datadog deepl deliveroo dialpad digitalocean
  discord docker docusign dropbox drupal dynamodb ebay elasticsearch etsy evernote eventbrite expedia facebook
  fastly fedex figma firebase fitbit freshdesk freshservice garmin gerrit ghost github gitlab gmail godaddy google
  grafana greenhouse grafbase gusto hadoop harvest hashicorp helpscout heroku hetzner hotjar hubspot instagram
  intercom jenkins jira kafka keycloak klarna klaviyo kubernetes launchdarkly linkedin linear lyft magento
  mailchimp mailgun mailjet mapbox marketo mastodon mattermost metabase microsoft miro mixpanel mongodb mysql
  netflix netlify netsuite newrelic notion nextcloud okta onedrive onenote openai openstack oracle outlook
  pagerduty paypal pinecone pinterest pipedrive pocket postgres postgresql posthog prometheus pulumi quickbooks
  rabbitmq reddit redis revolut rippling roblox salesforce sap segment sendgrid sentry servicenow sharepoint
  shopify signal skype slack snapchat snowflake sonarqube sonos soundcloud spotify splunk square squarespace
  steam strava stripe supabase surveymonkey tableau telegram terraform tesla tiktok todoist toggl trello twilio
  twitch twitter typeform uber vercel vimeo wechat webex webflow whatsapp wikipedia woocommerce wordpress workday
  xero yelp youtube zapier zendesk zoho zoom`.split(/\s+/),
)

/** Ordinary words too: they name the product only if they begin with a capital letter. */
const ORDINARY: ReadonlySet<string> = new Set(
  `alexa amazon ghost greenhouse gusto harvest linear notion oracle pocket prometheus segment sentry signal slack
  square steam stripe tableau telegram uber zoom`.split(/\s+/),
)

/** Whether a word, as it was written, names a product. */
export function isProduct(raw: string): boolean {
  const word = raw.toLowerCase()
  return PRODUCTS.has(word) && (!ORDINARY.has(word) || raw !== word)
}
