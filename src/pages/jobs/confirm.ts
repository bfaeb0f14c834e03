/** Asks before something that can't be undone. */
import { button, element } from "../shared/dom.js"

export interface Question {
  readonly title: string
  readonly about: string
  /** The label of the button that does it. */
  readonly yes: string
  /** The label of the button that does not. */
  readonly no: string
}

/** Asks the question, and returns `true` for yes. The focus goes back to where it was. */
export const ask = ({ about, no, title, yes }: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const dialog = element(
      "dialog",
      { "aria-labelledby": "question", "aria-describedby": "about-question" },
      element("p", { id: "question", class: "question" }, title),
      element("p", { id: "about-question" }, about),
      element(
        "div.actions",
        button(no, { class: "chip", autofocus: true }, () => dialog.close("no")),
        button(yes, { class: "chip danger" }, () => dialog.close("yes"))
      )
    )
    dialog.addEventListener("close", () => {
      dialog.remove()
      resolve(dialog.returnValue === "yes")
    })
    document.body.append(dialog)
    dialog.showModal()
  })
