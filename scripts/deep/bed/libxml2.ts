// libxml2's xmllint, with schemas and without what needs other libraries. Its configuration is given here, which saves asking a compiler
// hundreds of questions. Debian's source has no tests, so the schemas are ours.

import type { BedPackage } from "./bed-bug.js";

const HEADERS =
  "CTYPE ERRNO FCNTL FLOAT INTTYPES LIMITS MATH SIGNAL STDARG STDINT STDLIB STRING SYS_STAT SYS_TIME SYS_TYPES TIME UNISTD";
const FUNCTIONS = "GETTIMEOFDAY ISASCII RAND SNPRINTF SRAND STAT TIME VA_COPY VSNPRINTF";
const CONFIG = `#define ATTRIBUTE_UNUSED __attribute__((unused))
#define VA_LIST_IS_ARRAY 1
${[...HEADERS.split(" ").map((name) => `${name}_H`), ...FUNCTIONS.split(" ")]
  .map((name) => `#define HAVE_${name} 1\n`)
  .join("")}`;

const WITHOUT =
  "C14N CATALOG DEBUG DOCB FTP HTML HTTP ICONV ICU LEGACY LZMA MEM_DEBUG MODULES RUN_DEBUG SCHEMATRON THREADS THREAD_ALLOC TRIO WRITER XINCLUDE XPTR ZLIB";

const PARTS = `SAX SAX2 buf chvalid dict encoding entities error globals hash list parser parserInternals pattern relaxng
 threads tree uri valid xlink xmlIO xmllint xmlmemory xmlreader xmlregexp xmlsave xmlschemas xmlschemastypes xmlstring
 xmlunicode xpath`;

const MAKEFILE = `OBJECTS = $(addsuffix .o, ${PARTS.replaceAll("\n", "")})
xmllint: $(OBJECTS)
\t$(CC) $(CFLAGS) -o $@ $(OBJECTS) -lm
%.o: %.c
\t$(CC) $(CFLAGS) -w -Iinclude -I. -c -o $@ $<
`;

const schema = (body: string): string =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n${body}</xs:schema>\n`;

const SEEDS = {
  "note.xsd": schema(`<xs:element name="note"><xs:complexType><xs:sequence>
<xs:element name="to" type="xs:string"/><xs:element name="day" type="xs:date" minOccurs="0"/>
</xs:sequence><xs:attribute name="id" type="xs:int"/></xs:complexType></xs:element>
`),
  "subst.xsd": schema(`<xs:element name="shape" type="xs:string"/>
<xs:element name="note" substitutionGroup="shape" type="xs:string"/>
`),
  "simplecontent.xsd": schema(`<xs:complexType name="size"><xs:simpleContent>
<xs:extension base="xs:decimal"><xs:attribute name="unit" type="xs:string"/></xs:extension>
</xs:simpleContent></xs:complexType>
<xs:element name="note" type="size"/>
`),
  "extension.xsd":
    schema(`<xs:complexType name="base"><xs:sequence><xs:element name="to" type="xs:string"/></xs:sequence></xs:complexType>
<xs:complexType name="more"><xs:complexContent><xs:extension base="base">
<xs:sequence><xs:element name="day" type="xs:string" minOccurs="0"/></xs:sequence>
</xs:extension></xs:complexContent></xs:complexType>
<xs:element name="note" type="more"/>
`),
  "enum.xsd": schema(`<xs:simpleType name="color"><xs:restriction base="xs:string">
<xs:enumeration value="red"/><xs:enumeration value="blue"/><xs:maxLength value="4"/>
</xs:restriction></xs:simpleType>
<xs:element name="note" type="color"/>
`),
};

const common = {
  kind: "null-dereference",
  arguments: ["--noout", "--schema", "@@", "doc.xml"],
  beside: { "doc.xml": '<note id="1"><to>Ann</to></note>\n' },
  seeds: SEEDS,
};

export const LIBXML2: BedPackage = {
  source: "libxml2",
  files: { "config.h": CONFIG, "deep.mk": MAKEFILE },
  configure: `set -- -e 's/@VERSION@/2.9.14/' -e 's/@LIBXML_VERSION_NUMBER@/20914/' -e 's/@LIBXML_VERSION_EXTRA@//'
for part in ${WITHOUT}; do set -- "$@" -e "s/@WITH_$part@/0/"; done
sed "$@" -e 's/@WITH_[A-Z0-9]*@/1/' -e 's/@MODULE_EXTENSION@/.so/' include/libxml/xmlversion.h.in > include/libxml/xmlversion.h`,
  build: `make -f deep.mk CC="$CC" CFLAGS="$CFLAGS"`,
  program: "xmllint",
  bugs: [
    {
      ...common,
      name: "libxml2-coss",
      reference: "oss-fuzz 51295",
      what: "a schema with an element that substitutes itself",
      reverse: ["schemas-Fix-null-pointer-deref-in-xmlSchemaCheckCOSS.patch"],
      places: ["xmlschemas.c:14955"],
      proof: schema(`<xs:element name="note" substitutionGroup="note"/>
<xs:element name="day" type="xs:date" substitutionGroup="note"/>
`),
    },
    {
      ...common,
      name: "libxml2-28484",
      reference: "CVE-2023-28484",
      what: "a schema: complex content that extends simple content",
      reverse: ["CVE-2023-28484-Fix-null-deref-in-xmlSchemaFixupCompl.patch"],
      places: ["xmlschemas.c:18648", "xmlschemas.c:18650"],
      proof:
        schema(`<xs:complexType name="size"><xs:simpleContent><xs:extension base="xs:decimal"/></xs:simpleContent></xs:complexType>
<xs:complexType name="more"><xs:complexContent><xs:extension base="size">
<xs:sequence><xs:element name="day" type="xs:date"/></xs:sequence>
</xs:extension></xs:complexContent></xs:complexType>
<xs:element name="note" type="more"/>
`),
    },
  ],
};
