/** A token bucket that holds one second's worth of requests, and is full at first. */
export class RequestRate {
  private readonly size: number
  private tokens: number
  private filledAt = 0

  constructor(private readonly perSecond: number) {
    this.size = Math.max(1, perSecond)
    this.tokens = this.size
  }

  /** Takes a token, if there is one. */
  take(now: number): boolean {
    if (this.perSecond === Number.POSITIVE_INFINITY) return true
    this.tokens = Math.min(this.size, this.tokens + ((now - this.filledAt) * this.perSecond) / 1000)
    this.filledAt = now
    if (this.tokens < 1) return false
    this.tokens--
    return true
  }
}
