import type { HeardWords, Sentences, Topic } from './words.ts'

export const heardInEnglish: HeardWords = {
  refuse: `not interested|no interest|dont call|do not call|never call|stop calling|=stop|=stop it|please stop|
    just stop|can you stop|remove me|remove my number|take me off|unsubscribe|leave me alone|dont want to talk|
    do not want to talk|dont want any calls|do not want any calls|dont disturb|do not disturb|dont bother me|
    go away|get lost`,
  wrongNumber: `wrong number|wrong person`,
  robot: `are you a robot|are you robot|are you a bot|are you a machine|are you a computer|are you a human|
    are you human|are you a real|are you real|are you an ai|are you ai|are you a person|are you a recording|
    are you automated|is this a robot|is this a bot|is this a machine|is this a recording|is this an ai|is this ai|
    is this automated|is this a real person|is this a human|talking to a robot|talking to a machine|
    speaking to a machine|speaking to a robot|am i talking to a human|am i speaking to a human|
    am i talking to a real person|am i speaking to a real person|is it a robot|you are a robot|youre a robot`,
  human: `human|real person|live person|speak to a person|talk to a person|speak with a person|
    talk with a person|representative|speak to an agent|talk to an agent|live agent|human agent|speak to someone|
    talk to someone|speak with someone|talk with someone|speak to somebody|talk to somebody|connect me|transfer me|
    put me through|operator|speak to the manager|your manager|a manager|supervisor|customer service|customer care|
    your colleague|a colleague`,
  callback: `call me back|call back|callback|call me later|call later|call me again|call again|call me another|
    ring me|ring back|give me a call|phone me|im busy|i am busy|busy right now|busy now|=busy|im driving|
    i am driving|in a meeting|bad time|not a good time|cant talk|cannot talk|can not talk|not now|not right now|
    try me later|try again later|reschedule this call|reschedule the call|reschedule our call`,
  later: `later|another time|some other time|other day|another day|not today`,
  book: `book|booking|appointment|schedule|reserve|reservation|make an appointment|come in|visit|sign me up|slot`,
  another: `another|other|different|something else|anything else|next one|the next|what else|earlier|later|
    not that|doesnt work|does not work|doesnt suit|does not suit`,
  cancelBooking: `cancel my|cancel the|cancel that|cancel this|cancel it|cancel our|cancel an|cancel appointment|
    cancel booking|want to cancel|like to cancel|need to cancel|have to cancel|wish to cancel|just cancel|=cancel|
    =please cancel|=cancel please|=yes cancel|=no cancel|appointment cancelled|appointment canceled|call off my|
    cancel kar|cancel karo|cancel karna|cancel karwa|cancel karwana|cancel kara|cancel kardo`,
  moveBooking: `reschedule|rescheduled|rescheduling|prepone|postpone my|postpone the appointment|postpone it|
    move my appointment|move the appointment|move my booking|move our appointment|move that appointment|=move it|
    change my appointment|change the appointment|change my booking|change the time of my|change the date of my|
    shift my appointment|shift the appointment|push back my appointment|bring forward my appointment|
    another time for my appointment|different time for my appointment|another day for my appointment|
    cant make my appointment|cannot make my appointment|cant come to my appointment|
    cannot come to my appointment|appointment to another|appointment to a different|move it to|shift it to`,
  keep: `dont cancel|do not cancel|not cancel|dont want to cancel|not to cancel|dont move|do not move|not move|
    keep it|keep my appointment|keep the appointment|keep that|leave it as|leave it like|leave it there|
    never mind|nevermind`,
  who: `who is this|whos this|who are you|who is calling|whos calling|who is it|who is speaking|whos speaking|
    who am i speaking|who am i talking|whats your name|what is your name|your name please|calling from where|
    where are you calling from|which company|what company|who called`,
  about: `what is this about|whats this about|what is it about|whats it about|what is this regarding|
    whats this regarding|why are you calling|why do you call|why did you call|what do you want|what is this call|
    reason for|what are you calling about|purpose of|what is this|whats this|regarding what|=about what|=what about|
    how can i help you`,
  repeat: `repeat|say again|say that again|say it again|pardon|come again|didnt hear|did not hear|cant hear|
    cannot hear|didnt catch|did not catch|what was that|what did you say|didnt understand|did not understand|
    dont understand|=what|=sorry|=sorry what|=excuse me|=huh|one more time`,
  howAreYou: `how are you|how do you do|hows it going|how is it going`,
  hello: `=hello|=hi|=hey|=hello hello|=hello there|=hi there|=good morning|=good afternoon|=good evening|
    =speaking|=yes hello`,
  bye: `bye|goodbye|good bye|have to go|gotta go|got to go|need to go|hang up|good night`,
  question: `^what|^whats|^when|^where|^which|^how|^why|^who|^can you|^could you|^do you|^does|^is it|^is there|
    ^are there|^will|^tell me`,
  yes: `yes|yeah|yep|yup|yah|go ahead|please do|that works|works for me|sounds good|lets do it|lets do that|
    book it|book that|that is right|thats right|that is correct|thats correct|please book|confirmed|i confirm|=i do|
    =i would|=id like that|=i would like that|=id love to|=i would love to|=id like to|=i would like to`,
  mildYes: `ok|okay|alright|all right|sure|fine|right|correct|perfect|great|absolutely|certainly|definitely|
    of course|exactly|=please|thats good|that is good|good for me|looks good|=good|=very good|mhm|mm hmm|mm hm|
    uh huh|uhhuh|agreed|deal|suits me|i guess so|i think so`,
  no: `no|nope|nah|not|never|dont|doesnt|didnt|cant|cannot|wont|isnt|wouldnt|wrong|incorrect|neither|negative`,
  idiomYes: `no problem|no worries|why not|not a problem|not bad|no doubt|no issue|no objection|i dont mind|
    i do not mind|wouldnt mind|would not mind|cant wait|cannot wait`,
  neutral: `im fine|i am fine|im good|i am good|right now|right away`,
  unsure: `not sure|dont know|do not know|not certain|
    maybe|perhaps|might|possibly`,
}

const topics: Record<Topic, string> = {
  appointment: 'an appointment',
  payment: 'a payment',
  order: 'an order',
  feedback: 'your feedback',
  renewal: 'a renewal',
  insurance: 'insurance',
  loan: 'a loan',
  property: 'a property',
  course: 'a course',
}

export const english: Sentences = {
  hello: (agent) => `Hello, this is ${agent}.`,
  offer: 'Would you like to book an appointment?',
  help: 'Is there anything I can help you with?',
  whatElse: 'What can I do for you?',
  canCallBack: 'I can arrange a call back.',
  canTransfer: 'I can connect you to a colleague.',
  firstSlot: (label) => `The first opening is ${label}. Shall I book it?`,
  nextSlot: (label) => `The next opening is ${label}. Shall I book it?`,
  cancelThis: (label) => `Your appointment is on ${label}. Shall I cancel it?`,
  moveThis: (label) => `Your appointment is on ${label}. Shall I look for another time?`,
  firstMove: (label) => `The first opening is ${label}. Shall I move your appointment there?`,
  nextMove: (label) => `The next opening is ${label}. Shall I move your appointment there?`,
  when: 'When would suit you?',
  whenAgain: 'Sorry, I did not catch the time. When would suit you?',
  whenElse: 'When would suit you better?',
  readBack: (time) => `I will call you back ${time}, is that right?`,
  readBackPattern: /I will call you back (.*?\d:\d\d [AP]M),/,
  callbackOffer: 'Shall I call you back another time?',
  stillThere: 'Are you still there?',
  noResponse: 'I cannot hear you. I will try another time. Goodbye.',
  refused: 'I am sorry to have disturbed you. Goodbye.',
  wrongNumber: 'I am sorry, I have the wrong number. Goodbye.',
  goodbye: 'Thank you for your time. Goodbye.',
  enough: 'I will not keep you any longer. Thank you for your time. Goodbye.',
  noMoreSlots: 'I am sorry, I have no other times to offer. Thank you for your time. Goodbye.',
  noSlots: 'I am sorry, there are no open appointments at the moment.',
  cannotBook: 'I am sorry, I cannot book appointments in this call.',
  cannotCallBack: 'I am sorry, I cannot arrange a call back.',
  cannotTransfer: 'I am sorry, I cannot connect you to a colleague right now.',
  connecting: 'One moment please, I will connect you.',
  hold: 'Please stay on the line.',
  who: (agent) => `This is ${agent}, an automated assistant.`,
  thanks: 'Thank you for asking.',
  robot: 'I am an automated assistant.',
  about: (topic) =>
    topic ? `I am calling about ${topics[topic]}.` : 'I am calling to see whether I can help you with anything.',
  acknowledgements: ['I see.', 'I understand.', 'Thank you.'],
  cannotAnswer: 'I am afraid I cannot answer that.',
  pardon: 'Sorry, I did not catch that.',
  noAppointment: 'I am sorry, I cannot find an appointment of yours.',
  cannotChange: 'I am sorry, I cannot change appointments in this call.',
  kept: 'Your appointment stays as it is.',
  booked: 'Your appointment is booked.',
  cancelled: 'Your appointment is cancelled.',
  moved: 'Your appointment has been moved.',
  callbackArranged: 'Your call back is arranged.',
  connected: 'You are being connected.',
  failed: 'I am sorry, that did not work.',
}
