/** The words of services' messages. A text of these words only is no secret, even if a message repeats it. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above access account accounts action active address admin after again all allowed already also an and another
  any api application are argument as at auth authentication authorization available bad base be because been before
  below beta between billed body both busy but by bytes call calls can cannot change changed character characters check
  client closed code codes combination combined combining conflict connection contact contain contains content context
  conversion could count create created csv current custom data dates day days deactivated default delete deleted
  denied deprecated detail details detected developer dictionaries dictionary did disabled do document documents does
  don done down download downloaded duplicate duplicated duplicates each either element empty emulator enabled encoding end
  endpoint enough entity entries entry enum equal error errors exceed exceeded exceeds exist existing exists expected
  expired fail failed failure fails feature field fields file files first for forbidden form formality format found free
  from full gateway get given glossaries glossary greater group had has have header headers holds host hour hours html
  http https id identifier ids if in information input instead instruction instructions insufficient integer internal
  invalid is isn issue it item items its json key keys kib label lang language languages large larger last later latency
  least length less level limit limited limits list lists location long longer lower maintenance malformed manually many
  match matching max maximum may media memories memory message method min minimum minute minutes missing mode model more
  most moved multilingual multiple must name names need needs new next no non none not null number object of off on once
  one only operation optimized option optional options or order other our out output over page pair pairs parameter
  parameters parse part password patch path pay payload payment period permission permissions permitted plan please post
  prefer pro problem processing product prompt provide provided proxy put quality query quota rate re reached read ready
  reason received redirect refused region rejected reload remove removed repeated report request requested requests
  require required requires reserved resource response result results retry route rule rules s same second seconds see
  segment send sent server service services session set several should size slow small so some something soon source
  specification specified specify split start status still stop string strings style styles subscription success
  successful such support supported supports syntax t tag tags target temporarily temporary text texts than that the
  their them then there these they this threshold through time timed timeout timeouts title to token tone too total
  traffic translate translated translating translation translations try tsv two type types unable unauthorized
  unavailable unexpected unique unit unknown unprocessable unsupported until up update updated upgrade upload uploaded
  uri url usage use used user using utf valid validation value values version via wait waiting was we wrong well were
  when where which while will with within without won words write writing xml you your zero
  0 1 2 3 4 5 8 10 50 100 128 200 201 204 300 301 302 400 401 402 403 404 405 406 408 409 410 413 414 415 422 425 429
  456 500 501 502 503 504 529 1024 10240 131072`.split(/\s+/)
)
