import type { OAuthEntry } from '../config-file.ts'
import { HTTP_URL, rename } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'

const HTTPS_DOCUMENT = /^[Hh][Tt][Tt][Pp][Ss]:\/\/[^/?#\s]+\/./

export const OAUTH_RULES: ObjectRules<OAuthEntry> = {
  properties: {
    grant: {
      kind: 'choice',
      choices: ['authorization_code', 'client_credentials', 'jwt-bearer'],
      default: 'authorization_code',
      description:
        '`authorization_code`: a person signs in with a browser. `client_credentials`: the gateway signs in without a person. `jwt-bearer`: the same, with a token that the platform issued to the gateway.',
    },
    clientId: {
      kind: 'text',
      description: 'The ID of an OAuth client that you registered manually.',
    },
    clientSecret: {
      kind: 'text',
      description:
        'The secret of that client. Write `${NAME}` and keep the secret in that environment variable.',
    },
    privateKey: {
      kind: 'text',
      description:
        'The signing key of that client in PEM format (PKCS #8), instead of a secret. For `client_credentials` only. Write `${NAME}` and keep the key in that environment variable.',
    },
    assertionFile: {
      kind: 'text',
      description:
        'A file with a JWT that the platform issued to the gateway, such as a projected service account token, relative to the folder of this configuration file. For `jwt-bearer`, and for `client_credentials` instead of a secret. The gateway reads the file for every token request.',
    },
    assertion: {
      kind: 'text',
      description:
        'The JWT itself, instead of `assertionFile`. Write `${NAME}` and keep the token in that environment variable.',
    },
    clientMetadataUrl: {
      kind: 'text',
      url: HTTPS_DOCUMENT,
      example: 'https://…/….json',
      description: 'The URL of your client metadata document.',
    },
    scope: {
      kind: 'text',
      description:
        'The scopes to request instead of the ones that the server proposes, separated by spaces.',
    },
    issuer: {
      kind: 'text',
      url: HTTP_URL,
      example: 'https://…',
      description: 'The only authorization server that may receive the credentials of the client.',
    },
    dpop: {
      kind: 'choice',
      choices: ['auto', 'required', 'off'],
      default: 'auto',
      description:
        'Whether access tokens are bound to a key of the gateway (DPoP). `auto`: if the server and its authorization server declare support. `required`: refuse tokens that are not bound.',
    },
    callbackPort: {
      kind: 'integer',
      min: 1,
      max: 65_535,
      description:
        'The port in the redirect URL, `http://localhost:PORT/callback`. By default, the redirect URL uses 127.0.0.1 and a free port.',
    },
  },
  ignored: ['authServerMetadataUrl', 'enabled'],
  rejected: {
    client_id: rename('clientId'),
    client_secret: rename('clientSecret'),
    scopes: 'Rename it to "scope" and write one string with spaces between the scopes.',
    redirectUri: 'Write its port as "callbackPort".',
    authorizationUrl: 'Remove it: the gateway discovers it from the server.',
    tokenUrl: 'Remove it: the gateway discovers it from the server.',
  },
}
