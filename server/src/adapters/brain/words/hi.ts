import type { HeardWords, Sentences, Topic } from './words.ts'

/** Romanised, as recognisers and messages often write it, and in Devanagari. */
export const heardInHindi: HeardWords = {
  refuse: `interest nahi|interested nahi|interest nahin|interested nahin|dilchaspi nahi|ruchi nahi|zaroorat nahi|
    zarurat nahi|jarurat nahi|jaroorat nahi|nahi chahiye|nahin chahiye|phone mat|call mat|pareshan mat|
    phone na kare|call na kare|band kar|band kijiye|दिलचस्पी नहीं|रुचि नहीं|इंटरेस्ट नहीं|इंटरेस्टेड नहीं|
    ज़रूरत नहीं|नहीं चाहिए|फ़ोन मत|कॉल मत|परेशान मत|फ़ोन न करें|कॉल न करें|बंद कर|बंद करो|बंद कीजिए`,
  wrongNumber: `galat number|rong number|गलत नंबर|रॉन्ग नंबर|रांग नंबर`,
  robot: `robot ho|robot hain|robot hai|machine ho|machine hain|machine hai|aap insaan|insaan ho|insaan hain|
    recording hai|रोबोट हो|रोबोट हैं|रोबोट है|मशीन हो|मशीन हैं|मशीन है|आप इंसान|इंसान हैं|इंसान हो|रिकॉर्डिंग है`,
  human: `insaan se|insan se|kisi se baat|aadmi se baat|vyakti se|manager se|agent se|baat karao|baat karwao|
    baat karaiye|baat karwaiye|baat kara do|baat karwa do|transfer kar|connect kar|इंसान से|किसी से बात|आदमी से बात|
    व्यक्ति से|मैनेजर से|एजेंट से|बात कराओ|बात करवाओ|बात कराइए|बात करवाइए|बात करा दो|बात करवा दो|बात करा दीजिए|
    बात करवा दीजिए|ट्रांसफर कर|कनेक्ट कर`,
  callback: `phir se call|phir se phone|dobara call|dobara phone|call karna|phone karna|call kijiye|phone kijiye|
    call kar lena|phone kar lena|busy hoon|busy hun|busy hu|vyast|meeting mein|meeting me|gaadi chala|abhi nahi|
    abhi nahin|फिर से कॉल|फिर से फ़ोन|दोबारा कॉल|दोबारा फ़ोन|कॉल करना|फ़ोन करना|कॉल कीजिए|फ़ोन कीजिए|कॉल करें|
    फ़ोन करें|कॉल बैक|व्यस्त|बिज़ी|मीटिंग में|गाड़ी चला|अभी नहीं`,
  later: `baad mein|baad me|baad main|phir kabhi|fir kabhi|बाद में|फिर कभी|आज नहीं|aaj nahi`,
  book: `book kar|book karo|buk kar|appointment chahiye|booking|samay chahiye|बुक|बुकिंग|अपॉइंटमेंट|अपॉइन्टमेंट|
    अपाइंटमेंट|समय चाहिए`,
  cancelBooking: `radd kar|radd karna|radd karo|radd karwana|radd kara|cancel kijiye|कैंसल|कैंसिल|कैन्सल|रद्द`,
  moveBooking: `reschedule kar|appointment badal|appointment badalna|samay badal|samay badalna|time badal|
    time badalna|tarikh badal|tarikh badalna|din badal|appointment aage|appointment shift|अपॉइंटमेंट बदल|
    अपॉइंटमेंट बदलना|अपॉइंटमेंट का समय|अपॉइंटमेंट की तारीख|समय बदल|समय बदलना|समय बदलवाना|टाइम बदल|टाइम बदलना|
    तारीख बदल|तारीख बदलना|दिन बदल|दिन बदलना|रीशेड्यूल|रिशेड्यूल|अपॉइंटमेंट आगे|अपॉइंटमेंट शिफ्ट`,
  keep: `cancel mat|cancel nahi|cancel na|radd mat|radd nahi|rehne do|rehne dijiye|mat badal|कैंसल मत|कैंसिल मत|
    कैंसल नहीं|कैंसिल नहीं|रद्द मत|रद्द नहीं|रहने दो|रहने दीजिए|मत बदल`,
  another: `doosra|dusra|koi aur|aur koi|iske baad|दूसरा|कोई और|और कोई|इसके बाद`,
  who: `kaun bol|aap kaun|kaun ho|kaun hai|kahan se bol|kaun baat|naam kya|कौन बोल|आप कौन|कौन हो|कौन हैं|कौन है|
    कहाँ से बोल|नाम क्या`,
  about: `kis bare mein|kis baare mein|kis liye|kisliye|kyon call|kyun call|kyon phone|kyun phone|kya kaam|
    kya chahiye|किस बारे में|किस लिए|किसलिए|क्यों कॉल|क्यों फ़ोन|क्या काम|क्या चाहिए`,
  repeat: `phir se bol|fir se bol|dobara bol|phir se kah|kya kaha|kya bola|sunai nahi|samajh nahi|samjha nahi|
    =kya|फिर से बोल|दोबारा बोल|फिर से कह|क्या कहा|क्या बोला|सुनाई नहीं|समझ नहीं|समझा नहीं|=क्या`,
  howAreYou: `kaise ho|kaise hain|kaisi hain|कैसे हो|कैसे हैं|कैसी हैं`,
  hello: `=namaste|=namaskar|=haan hello|=hello ji|=haan bolo|=haan boliye|=ji boliye|=boliye|=bolo|=नमस्ते|
    =नमस्कार|=हेलो|=हैलो|=हाँ बोलिए|=जी बोलिए|=बोलिए|=हाँ बोलो`,
  bye: `alvida|rakhta hoon|rakhti hoon|phone rakh|अलविदा|रखता हूँ|रखती हूँ|फ़ोन रख|बाय`,
  question: `^kya|^kab|^kahan|^kitna|^kitne|^kaise|^kyon|^kyun|^kaun|^क्या|^कब|^कहाँ|^कितना|^कितने|^कैसे|^क्यों|
    ^कौन`,
  yes: `haan|han|haa|hanji|haanji|ji haan|kar do|kar dijiye|kar dijie|kardo|kar den|हाँ|हां|जी हाँ|कर दो|
    कर दीजिए|कर दें|यस`,
  mildYes: `ji|jee|theek|thik|sahi|accha|acha|achha|bilkul|zaroor|zarur|जी|ठीक|सही|अच्छा|बिल्कुल|बिलकुल|ज़रूर|
    ओके`,
  no: `nahi|nahin|nahee|nai|naa|mat|galat|नहीं|नही|ना|मत|गलत|नो`,
  idiomYes: `koi baat nahi|koi dikkat nahi|kyon nahi|kyun nahi|कोई बात नहीं|कोई दिक्कत नहीं|क्यों नहीं`,
  neutral: '',
  unsure: `pata nahi|shayad|dekhte hain|पता नहीं|शायद|देखते हैं`,
}

const topics: Record<Topic, string> = {
  appointment: 'एक अपॉइंटमेंट',
  payment: 'एक भुगतान',
  order: 'एक ऑर्डर',
  feedback: 'आपकी राय',
  renewal: 'नवीनीकरण',
  insurance: 'बीमा',
  loan: 'एक लोन',
  property: 'एक प्रॉपर्टी',
  course: 'एक कोर्स',
}

/** Worded so that the speaker is neither he nor she. */
export const hindi: Sentences = {
  hello: (agent) => `नमस्ते, ${agent} की ओर से फ़ोन है।`,
  offer: 'क्या आप अपॉइंटमेंट बुक करना चाहेंगे?',
  help: 'क्या आपको किसी चीज़ में मदद चाहिए?',
  whatElse: 'बताइए, क्या मदद चाहिए?',
  canCallBack: 'आपको दोबारा फ़ोन किया जा सकता है।',
  canTransfer: 'किसी सहकर्मी से आपकी बात कराई जा सकती है।',
  firstSlot: (label) => `पहला खाली समय ${label} है। क्या इसे बुक कर दूँ?`,
  nextSlot: (label) => `अगला खाली समय ${label} है। क्या इसे बुक कर दूँ?`,
  cancelThis: (label) => `आपका अपॉइंटमेंट ${label} है। क्या इसे रद्द कर दूँ?`,
  moveThis: (label) => `आपका अपॉइंटमेंट ${label} है। क्या कोई और समय देखा जाए?`,
  firstMove: (label) => `पहला खाली समय ${label} है। क्या आपका अपॉइंटमेंट इस समय कर दूँ?`,
  nextMove: (label) => `अगला खाली समय ${label} है। क्या आपका अपॉइंटमेंट इस समय कर दूँ?`,
  when: 'आपको कब फ़ोन करें?',
  whenAgain: 'माफ़ कीजिए, समय समझ नहीं आया। आपको कब फ़ोन करें?',
  whenElse: 'फिर कौन सा समय ठीक रहेगा?',
  readBack: (time) => `आपको ${time} फ़ोन किया जाएगा, ठीक है?`,
  readBackPattern: /आपको (.*?\d:\d\d बजे) /,
  callbackOffer: 'क्या आपको किसी और समय फ़ोन करें?',
  stillThere: 'क्या आप लाइन पर हैं?',
  noResponse: 'आपकी आवाज़ नहीं आ रही है। हम फिर कभी फ़ोन करेंगे। नमस्ते।',
  refused: 'आपको परेशान करने के लिए माफ़ी चाहते हैं। नमस्ते।',
  wrongNumber: 'माफ़ कीजिए, गलत नंबर लग गया। नमस्ते।',
  goodbye: 'आपके समय के लिए धन्यवाद। नमस्ते।',
  enough: 'आपका और समय नहीं लेंगे। धन्यवाद, नमस्ते।',
  noMoreSlots: 'माफ़ कीजिए, और कोई समय खाली नहीं है। आपके समय के लिए धन्यवाद। नमस्ते।',
  noSlots: 'माफ़ कीजिए, अभी कोई समय खाली नहीं है।',
  cannotBook: 'माफ़ कीजिए, इस कॉल में अपॉइंटमेंट बुक नहीं हो सकता।',
  cannotCallBack: 'माफ़ कीजिए, दोबारा फ़ोन तय नहीं हो सकता।',
  cannotTransfer: 'माफ़ कीजिए, अभी किसी सहकर्मी से बात नहीं हो सकती।',
  connecting: 'एक पल रुकिए, आपकी बात कराई जा रही है।',
  hold: 'कृपया लाइन पर बने रहिए।',
  who: (agent) => `मेरा नाम ${agent} है, यह एक स्वचालित सहायक है।`,
  thanks: 'पूछने के लिए धन्यवाद।',
  robot: 'यह एक स्वचालित सहायक है।',
  about: (topic) => (topic ? `यह फ़ोन ${topics[topic]} के बारे में है।` : 'यह फ़ोन आपकी मदद के लिए है।'),
  acknowledgements: ['अच्छा।', 'जी, समझ गए।', 'धन्यवाद।'],
  cannotAnswer: 'माफ़ कीजिए, इसका उत्तर मेरे पास नहीं है।',
  pardon: 'माफ़ कीजिए, समझ नहीं आया।',
  noAppointment: 'माफ़ कीजिए, आपका कोई अपॉइंटमेंट नहीं मिला।',
  cannotChange: 'माफ़ कीजिए, इस कॉल में अपॉइंटमेंट बदला नहीं जा सकता।',
  kept: 'आपका अपॉइंटमेंट वैसा ही रहेगा।',
  booked: 'आपका अपॉइंटमेंट बुक हो गया है।',
  cancelled: 'आपका अपॉइंटमेंट रद्द हो गया है।',
  moved: 'आपके अपॉइंटमेंट का समय बदल गया है।',
  callbackArranged: 'आपको दोबारा फ़ोन किया जाएगा।',
  connected: 'आपकी बात कराई जा रही है।',
  failed: 'माफ़ कीजिए, यह नहीं हो सका।',
}
