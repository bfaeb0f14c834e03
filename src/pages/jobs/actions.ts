/** The buttons of a job: those that can be pressed in its state. */
import { button, element } from "../shared/dom.js"
import type { Status } from "./api.js"
import * as api from "./api.js"
import * as confirm from "./confirm.js"
import { isEnded } from "./statusText.js"

/** Does some work, shows its result or the reason of its failure, and asks for the jobs anew. */
export type Do = (work: () => Promise<string>) => Promise<void>

interface Action {
  readonly name: string
  readonly isOffered: (job: Status) => boolean
  readonly question?: ((id: string) => confirm.Question) | undefined
  readonly work: (id: string) => Promise<void>
  readonly told: (id: string) => string
}

const actions: ReadonlyArray<Action> = [
  {
    name: "Pause",
    isOffered: ({ state }) => ["submitted", "running", "waiting"].includes(state),
    work: (id) => api.tell(id, "pause"),
    told: (id) => `${id} is paused.`
  },
  {
    name: "Resume",
    isOffered: ({ state }) => ["paused", "waiting"].includes(state),
    work: (id) => api.tell(id, "resume"),
    told: (id) => `${id} goes on.`
  },
  {
    name: "Cancel",
    isOffered: (job) => !isEnded(job) && job.state !== "cancelling",
    question: (id) => ({
      title: `Cancel the job ${id}?`,
      about:
        "Nothing more is sent. Requests in flight are recorded, and outputs that are not whole are not written. Submitted again, the job goes on, and nothing is paid twice.",
      yes: "Cancel the job",
      no: "Let it run"
    }),
    work: (id) => api.tell(id, "cancel"),
    told: (id) => `${id} is cancelled.`
  },
  {
    name: "Remove",
    isOffered: isEnded,
    question: (id) => ({
      title: `Remove the job ${id}?`,
      about:
        "What is known of it is lost: its state, its figures and its failures. Translations stay in the store.",
      yes: "Remove the job",
      no: "Keep it"
    }),
    work: api.remove,
    told: (id) => `${id} is removed.`
  }
]

export interface Buttons {
  readonly root: HTMLElement
  readonly update: (job: Status) => void
}

/** The buttons stay the same, so that the focus stays too. */
export const make = (id: string, act: Do): Buttons => {
  const made = actions.map((action) => ({
    action,
    button: button(action.name, { class: "chip", "aria-label": `${action.name} ${id}` }, async () => {
      if (action.question !== undefined && !(await confirm.ask(action.question(id)))) return
      await act(async () => {
        await action.work(id)
        return action.told(id)
      })
    })
  }))
  const root = element(
    "div.actions",
    made.map(({ button }) => button)
  )
  return {
    root,
    update: (job) => {
      const focused = made.find(({ button }) => button === document.activeElement)
      for (const { action, button } of made) button.hidden = !action.isOffered(job)
      if (focused?.button.hidden) made.find(({ button }) => !button.hidden)?.button.focus()
    }
  }
}
