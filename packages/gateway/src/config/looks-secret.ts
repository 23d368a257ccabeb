/**
 * Whether a word is probably a key or a token. Rather too often than too rarely: what is hidden by
 * mistake costs a look into the file, what is shown by mistake costs a secret.
 */
export function looksSecret(word: string): boolean {
  return (
    KNOWN_START.test(word) ||
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word) ||
    (/[A-Za-z0-9]{20}/.test(word) && /\d/.test(word) && /[A-Za-z]/.test(word)) ||
    (/[\w+/=.-]{32}/.test(word) && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word))
  )
}

const KNOWN_START =
  /^(sk|pk|rk|gsk|tvly|pplx|hf|r8|fc|key|secret|token|ntn|lin_api|figd|shpat|whsec|dop_v1|gh[opsur]|github_pat|glpat|npm|xox[abeoprs]|xapp|ya29)[-_.][\w.-]{6}|^(AKIA|ASIA|AIza|eyJ|SG\.)[\w.-]{8}/

/** Whether what stands under a name, a flag or a parameter is probably a secret. */
export function namesSecret(name: string): boolean {
  return /key|token|secret|passw|pwd|passphrase|auth|credential|bearer|cookie|session|signature|dsn|connection|header|\bpat\b|^-?-?(p|u|H)$/i.test(
    name,
  )
}
