/** What a callee may mean. Several at once: "yes, who is this?" */
export type Intent =
  | 'refuse'
  | 'wrongNumber'
  | 'robot'
  | 'human'
  | 'callback'
  | 'later'
  | 'book'
  | 'another'
  | 'cancelBooking'
  | 'moveBooking'
  /** Takes a cancellation or a move back: "do not cancel it". */
  | 'keep'
  | 'who'
  | 'about'
  | 'repeat'
  | 'howAreYou'
  | 'hello'
  | 'bye'
  | 'question'
  | 'yes'
  /** Loses against any no: "fine", but "no, that is fine" is a no. */
  | 'mildYes'
  | 'no'
  /** Holds a word of the other side: "no problem" is a yes. */
  | 'idiomYes'
  /** Neither, whatever else is said: "not sure". */
  | 'unsure'
  /** Holds a mild yes and is none: "right now". */
  | 'neutral'

/** Phrases apart by `|`; `=` before one means the whole utterance, `^` its beginning. */
export type HeardWords = Record<Intent, string>

export type Topic =
  | 'appointment'
  | 'payment'
  | 'order'
  | 'feedback'
  | 'renewal'
  | 'insurance'
  | 'loan'
  | 'property'
  | 'course'

export type Sentences = {
  hello: (agent: string) => string
  offer: string
  help: string
  whatElse: string
  canCallBack: string
  canTransfer: string
  firstSlot: (label: string) => string
  nextSlot: (label: string) => string
  cancelThis: (label: string) => string
  moveThis: (label: string) => string
  firstMove: (label: string) => string
  nextMove: (label: string) => string
  when: string
  whenAgain: string
  whenElse: string
  readBack: (time: string) => string
  /** Finds the time in a read-back that was heard up to its time at least. */
  readBackPattern: RegExp
  callbackOffer: string
  stillThere: string
  noResponse: string
  refused: string
  wrongNumber: string
  goodbye: string
  enough: string
  noMoreSlots: string
  noSlots: string
  cannotBook: string
  cannotCallBack: string
  cannotTransfer: string
  connecting: string
  hold: string
  who: (agent: string) => string
  robot: string
  thanks: string
  about: (topic: Topic | null) => string
  acknowledgements: readonly [string, string, string]
  cannotAnswer: string
  pardon: string
  noAppointment: string
  cannotChange: string
  kept: string
  booked: string
  cancelled: string
  moved: string
  callbackArranged: string
  connected: string
  failed: string
}
