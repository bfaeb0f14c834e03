/** What the texts of a slice take at most in UTF-8: about a request of the service, which has 128 KiB. */
export const maxTextBytes = 100_000
