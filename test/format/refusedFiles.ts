const flow = "a list in brackets goes on at the indentation of its key, which YAML forbids and libyaml reads"
const charset = "is in a charset that is not read"
const twice = "has a key twice, which YAML forbids"

/** Files of the corpus that a format refuses, by the end of their path, and what is wrong with them. */
export const refused: Readonly<Record<string, string>> = {
  "redmine/config/locales/da.yml": twice,
  "redmine/config/locales/es.yml": twice,
  "redmine/config/locales/hr.yml": twice,
  "redmine/config/locales/hu.yml": twice,
  "redmine/config/locales/sq.yml": twice,
  "redmine/config/locales/vi.yml": twice,
  "lib/locales/en/cosmere.yml": flow,
  "lib/locales/en/dc_comics.yml": flow,
  "lib/locales/en/hey_arnold.yml": flow,
  "lib/locales/en/kpop.yml": flow,
  "lib/locales/en/parks_and_rec.yml": flow,
  "lib/locales/en/phish.yml": "a text in quotes goes on at the indentation of its list",
  "lib/locales/en/stranger_thing.yml": flow,
  "faker-2.21.0/lib/locales/pt-BR.yml": flow,
  "tasksel/po/fi.po": charset,
  "tasksel/po/hr.po": charset,
  "tasksel/po/ja.po": charset,
  "tasksel/po/nl.po": charset,
  "tasksel/po/pl.po": charset,
  "tasksel/tasks/po/hr.po": charset,
  "GNUMail.app/Resources/Czech.lproj/Localizable.strings": twice,
  "GNUMail.app/Resources/French.lproj/Localizable.strings": twice,
  "samples/broken_empty2.SRT": "a cue has a number and nothing else",
  "samples/mavic_2_style.SRT": "cues have no times",
  "test/data/latin1.srt": "is not UTF-8"
}
