/** What is said of certificates that Node does not accept, as nobody whom it trusts has signed them. */
const certificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is signed by a self-signed one, which is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate is signed by somebody unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate is signed by somebody unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is signed by somebody unknown"
}

/** What is wrong with a certificate, by the code of an error. */
export const distrusted = (code: string): string | undefined =>
  Object.hasOwn(certificates, code) ? `${certificates[code]} (${code})` : undefined

export const advice =
  "if it is one of your own, or of a proxy that reads TLS, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of who has signed it"
