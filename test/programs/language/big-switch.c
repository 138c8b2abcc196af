// A switch of 300 dense cases with varied bodies, and one of 200 scattered cases.
// stdout: 187493
// stdout: 0
// stdout: 50
// stdout: 100
// stdout: 199
// stdout: -1
// stdout: -1
#include <stdio.h>

static unsigned dense(unsigned op, unsigned x)
{
    switch (op) {
    case 0: return x + 0;
    case 1: return x * 3u;
    case 2: return x ^ 1013904226u;
    case 3: x -= 3; break;
    case 4: return x << 4 | x >> 28;
    case 5: x = ~x; /* fall through */
    case 6: return x + 42;
    case 7: return x * 15u;
    case 8: return x ^ 4055616904u;
    case 9: x -= 9; break;
    case 10: return x << 10 | x >> 22;
    case 11: x = ~x; /* fall through */
    case 12: return x + 84;
    case 13: return x * 1u;
    case 14: return x ^ 2802362286u;
    case 15: x -= 15; break;
    case 16: return x << 16 | x >> 16;
    case 17: x = ~x; /* fall through */
    case 18: return x + 29;
    case 19: return x * 13u;
    case 20: return x ^ 1549107668u;
    case 21: x -= 21; break;
    case 22: return x << 22 | x >> 10;
    case 23: x = ~x; /* fall through */
    case 24: return x + 71;
    case 25: return x * 25u;
    case 26: return x ^ 295853050u;
    case 27: x -= 27; break;
    case 28: return x << 28 | x >> 4;
    case 29: x = ~x; /* fall through */
    case 30: return x + 16;
    case 31: return x * 11u;
    case 32: return x ^ 3337565728u;
    case 33: x -= 33; break;
    case 34: return x << 3 | x >> 29;
    case 35: x = ~x; /* fall through */
    case 36: return x + 58;
    case 37: return x * 23u;
    case 38: return x ^ 2084311110u;
    case 39: x -= 39; break;
    case 40: return x << 9 | x >> 23;
    case 41: x = ~x; /* fall through */
    case 42: return x + 3;
    case 43: return x * 9u;
    case 44: return x ^ 831056492u;
    case 45: x -= 45; break;
    case 46: return x << 15 | x >> 17;
    case 47: x = ~x; /* fall through */
    case 48: return x + 45;
    case 49: return x * 21u;
    case 50: return x ^ 3872769170u;
    case 51: x -= 51; break;
    case 52: return x << 21 | x >> 11;
    case 53: x = ~x; /* fall through */
    case 54: return x + 87;
    case 55: return x * 7u;
    case 56: return x ^ 2619514552u;
    case 57: x -= 57; break;
    case 58: return x << 27 | x >> 5;
    case 59: x = ~x; /* fall through */
    case 60: return x + 32;
    case 61: return x * 19u;
    case 62: return x ^ 1366259934u;
    case 63: x -= 63; break;
    case 64: return x << 2 | x >> 30;
    case 65: x = ~x; /* fall through */
    case 66: return x + 74;
    case 67: return x * 5u;
    case 68: return x ^ 113005316u;
    case 69: x -= 69; break;
    case 70: return x << 8 | x >> 24;
    case 71: x = ~x; /* fall through */
    case 72: return x + 19;
    case 73: return x * 17u;
    case 74: return x ^ 3154717994u;
    case 75: x -= 75; break;
    case 76: return x << 14 | x >> 18;
    case 77: x = ~x; /* fall through */
    case 78: return x + 61;
    case 79: return x * 3u;
    case 80: return x ^ 1901463376u;
    case 81: x -= 81; break;
    case 82: return x << 20 | x >> 12;
    case 83: x = ~x; /* fall through */
    case 84: return x + 6;
    case 85: return x * 15u;
    case 86: return x ^ 648208758u;
    case 87: x -= 87; break;
    case 88: return x << 26 | x >> 6;
    case 89: x = ~x; /* fall through */
    case 90: return x + 48;
    case 91: return x * 1u;
    case 92: return x ^ 3689921436u;
    case 93: x -= 93; break;
    case 94: return x << 1 | x >> 31;
    case 95: x = ~x; /* fall through */
    case 96: return x + 90;
    case 97: return x * 13u;
    case 98: return x ^ 2436666818u;
    case 99: x -= 99; break;
    case 100: return x << 7 | x >> 25;
    case 101: x = ~x; /* fall through */
    case 102: return x + 35;
    case 103: return x * 25u;
    case 104: return x ^ 1183412200u;
    case 105: x -= 105; break;
    case 106: return x << 13 | x >> 19;
    case 107: x = ~x; /* fall through */
    case 108: return x + 77;
    case 109: return x * 11u;
    case 110: return x ^ 4225124878u;
    case 111: x -= 111; break;
    case 112: return x << 19 | x >> 13;
    case 113: x = ~x; /* fall through */
    case 114: return x + 22;
    case 115: return x * 23u;
    case 116: return x ^ 2971870260u;
    case 117: x -= 117; break;
    case 118: return x << 25 | x >> 7;
    case 119: x = ~x; /* fall through */
    case 120: return x + 64;
    case 121: return x * 9u;
    case 122: return x ^ 1718615642u;
    case 123: x -= 123; break;
    case 124: return x << 0 | x >> 1;
    case 125: x = ~x; /* fall through */
    case 126: return x + 9;
    case 127: return x * 21u;
    case 128: return x ^ 465361024u;
    case 129: x -= 129; break;
    case 130: return x << 6 | x >> 26;
    case 131: x = ~x; /* fall through */
    case 132: return x + 51;
    case 133: return x * 7u;
    case 134: return x ^ 3507073702u;
    case 135: x -= 135; break;
    case 136: return x << 12 | x >> 20;
    case 137: x = ~x; /* fall through */
    case 138: return x + 93;
    case 139: return x * 19u;
    case 140: return x ^ 2253819084u;
    case 141: x -= 141; break;
    case 142: return x << 18 | x >> 14;
    case 143: x = ~x; /* fall through */
    case 144: return x + 38;
    case 145: return x * 5u;
    case 146: return x ^ 1000564466u;
    case 147: x -= 147; break;
    case 148: return x << 24 | x >> 8;
    case 149: x = ~x; /* fall through */
    case 150: return x + 80;
    case 151: return x * 17u;
    case 152: return x ^ 4042277144u;
    case 153: x -= 153; break;
    case 154: return x << 30 | x >> 2;
    case 155: x = ~x; /* fall through */
    case 156: return x + 25;
    case 157: return x * 3u;
    case 158: return x ^ 2789022526u;
    case 159: x -= 159; break;
    case 160: return x << 5 | x >> 27;
    case 161: x = ~x; /* fall through */
    case 162: return x + 67;
    case 163: return x * 15u;
    case 164: return x ^ 1535767908u;
    case 165: x -= 165; break;
    case 166: return x << 11 | x >> 21;
    case 167: x = ~x; /* fall through */
    case 168: return x + 12;
    case 169: return x * 1u;
    case 170: return x ^ 282513290u;
    case 171: x -= 171; break;
    case 172: return x << 17 | x >> 15;
    case 173: x = ~x; /* fall through */
    case 174: return x + 54;
    case 175: return x * 13u;
    case 176: return x ^ 3324225968u;
    case 177: x -= 177; break;
    case 178: return x << 23 | x >> 9;
    case 179: x = ~x; /* fall through */
    case 180: return x + 96;
    case 181: return x * 25u;
    case 182: return x ^ 2070971350u;
    case 183: x -= 183; break;
    case 184: return x << 29 | x >> 3;
    case 185: x = ~x; /* fall through */
    case 186: return x + 41;
    case 187: return x * 11u;
    case 188: return x ^ 817716732u;
    case 189: x -= 189; break;
    case 190: return x << 4 | x >> 28;
    case 191: x = ~x; /* fall through */
    case 192: return x + 83;
    case 193: return x * 23u;
    case 194: return x ^ 3859429410u;
    case 195: x -= 195; break;
    case 196: return x << 10 | x >> 22;
    case 197: x = ~x; /* fall through */
    case 198: return x + 28;
    case 199: return x * 9u;
    case 200: return x ^ 2606174792u;
    case 201: x -= 201; break;
    case 202: return x << 16 | x >> 16;
    case 203: x = ~x; /* fall through */
    case 204: return x + 70;
    case 205: return x * 21u;
    case 206: return x ^ 1352920174u;
    case 207: x -= 207; break;
    case 208: return x << 22 | x >> 10;
    case 209: x = ~x; /* fall through */
    case 210: return x + 15;
    case 211: return x * 7u;
    case 212: return x ^ 99665556u;
    case 213: x -= 213; break;
    case 214: return x << 28 | x >> 4;
    case 215: x = ~x; /* fall through */
    case 216: return x + 57;
    case 217: return x * 19u;
    case 218: return x ^ 3141378234u;
    case 219: x -= 219; break;
    case 220: return x << 3 | x >> 29;
    case 221: x = ~x; /* fall through */
    case 222: return x + 2;
    case 223: return x * 5u;
    case 224: return x ^ 1888123616u;
    case 225: x -= 225; break;
    case 226: return x << 9 | x >> 23;
    case 227: x = ~x; /* fall through */
    case 228: return x + 44;
    case 229: return x * 17u;
    case 230: return x ^ 634868998u;
    case 231: x -= 231; break;
    case 232: return x << 15 | x >> 17;
    case 233: x = ~x; /* fall through */
    case 234: return x + 86;
    case 235: return x * 3u;
    case 236: return x ^ 3676581676u;
    case 237: x -= 237; break;
    case 238: return x << 21 | x >> 11;
    case 239: x = ~x; /* fall through */
    case 240: return x + 31;
    case 241: return x * 15u;
    case 242: return x ^ 2423327058u;
    case 243: x -= 243; break;
    case 244: return x << 27 | x >> 5;
    case 245: x = ~x; /* fall through */
    case 246: return x + 73;
    case 247: return x * 1u;
    case 248: return x ^ 1170072440u;
    case 249: x -= 249; break;
    case 250: return x << 2 | x >> 30;
    case 251: x = ~x; /* fall through */
    case 252: return x + 18;
    case 253: return x * 13u;
    case 254: return x ^ 4211785118u;
    case 255: x -= 255; break;
    case 256: return x << 8 | x >> 24;
    case 257: x = ~x; /* fall through */
    case 258: return x + 60;
    case 259: return x * 25u;
    case 260: return x ^ 2958530500u;
    case 261: x -= 261; break;
    case 262: return x << 14 | x >> 18;
    case 263: x = ~x; /* fall through */
    case 264: return x + 5;
    case 265: return x * 11u;
    case 266: return x ^ 1705275882u;
    case 267: x -= 267; break;
    case 268: return x << 20 | x >> 12;
    case 269: x = ~x; /* fall through */
    case 270: return x + 47;
    case 271: return x * 23u;
    case 272: return x ^ 452021264u;
    case 273: x -= 273; break;
    case 274: return x << 26 | x >> 6;
    case 275: x = ~x; /* fall through */
    case 276: return x + 89;
    case 277: return x * 9u;
    case 278: return x ^ 3493733942u;
    case 279: x -= 279; break;
    case 280: return x << 1 | x >> 31;
    case 281: x = ~x; /* fall through */
    case 282: return x + 34;
    case 283: return x * 21u;
    case 284: return x ^ 2240479324u;
    case 285: x -= 285; break;
    case 286: return x << 7 | x >> 25;
    case 287: x = ~x; /* fall through */
    case 288: return x + 76;
    case 289: return x * 7u;
    case 290: return x ^ 987224706u;
    case 291: x -= 291; break;
    case 292: return x << 13 | x >> 19;
    case 293: x = ~x; /* fall through */
    case 294: return x + 21;
    case 295: return x * 19u;
    case 296: return x ^ 4028937384u;
    case 297: x -= 297; break;
    case 298: return x << 19 | x >> 13;
    case 299: return x + 56;
    }
    return x % 1000003;
}

static int scattered(long key)
{
    switch (key) {
    case -11935000092029: return 0;
    case -6169564816952: return 1;
    case -5158589683217: return 2;
    case -3207669622373: return 3;
    case -3051026196339: return 4;
    case -3030966938690: return 5;
    case -2992140878651: return 6;
    case -2747903922251: return 7;
    case -2723958966652: return 8;
    case -1103863216979: return 9;
    case -969747133955: return 10;
    case -874277224816: return 11;
    case -798904274572: return 12;
    case -281481948664: return 13;
    case -112723311526: return 14;
    case -13043253851: return 15;
    case -9980263521: return 16;
    case -3819516204: return 17;
    case -3592490915: return 18;
    case -3559141818: return 19;
    case -1938629690: return 20;
    case -993662940: return 21;
    case -665600858: return 22;
    case -462220084: return 23;
    case -430205435: return 24;
    case -352640514: return 25;
    case -216158886: return 26;
    case -195248897: return 27;
    case -180512194: return 28;
    case -151040652: return 29;
    case -133612965: return 30;
    case -110277940: return 31;
    case -85311288: return 32;
    case -79941838: return 33;
    case -38879334: return 34;
    case -30763908: return 35;
    case -27320868: return 36;
    case -26318878: return 37;
    case -14991201: return 38;
    case -12480343: return 39;
    case -10940165: return 40;
    case -7051978: return 41;
    case -5130795: return 42;
    case -3952955: return 43;
    case -3676648: return 44;
    case -814552: return 45;
    case -724207: return 46;
    case -363293: return 47;
    case -361720: return 48;
    case -255145: return 49;
    case -171241: return 50;
    case -158788: return 51;
    case -155543: return 52;
    case -114662: return 53;
    case -111136: return 54;
    case -81571: return 55;
    case -62621: return 56;
    case -45932: return 57;
    case -23319: return 58;
    case -19698: return 59;
    case -14071: return 60;
    case -13933: return 61;
    case -10232: return 62;
    case -5778: return 63;
    case -5325: return 64;
    case -4574: return 65;
    case -3492: return 66;
    case -2562: return 67;
    case -1394: return 68;
    case -685: return 69;
    case -440: return 70;
    case -324: return 71;
    case -307: return 72;
    case -292: return 73;
    case -158: return 74;
    case -152: return 75;
    case -143: return 76;
    case -126: return 77;
    case -63: return 78;
    case -56: return 79;
    case -41: return 80;
    case -39: return 81;
    case -20: return 82;
    case -17: return 83;
    case -15: return 84;
    case -14: return 85;
    case -10: return 86;
    case -3: return 87;
    case 1: return 88;
    case 7: return 89;
    case 9: return 90;
    case 25: return 91;
    case 35: return 92;
    case 38: return 93;
    case 41: return 94;
    case 43: return 95;
    case 50: return 96;
    case 63: return 97;
    case 91: return 98;
    case 206: return 99;
    case 211: return 100;
    case 243: return 101;
    case 420: return 102;
    case 464: return 103;
    case 493: return 104;
    case 704: return 105;
    case 1199: return 106;
    case 2291: return 107;
    case 3018: return 108;
    case 3799: return 109;
    case 3905: return 110;
    case 7044: return 111;
    case 10021: return 112;
    case 10153: return 113;
    case 13038: return 114;
    case 13510: return 115;
    case 18061: return 116;
    case 27020: return 117;
    case 41089: return 118;
    case 99947: return 119;
    case 99955: return 120;
    case 120119: return 121;
    case 121255: return 122;
    case 143770: return 123;
    case 159966: return 124;
    case 253684: return 125;
    case 256929: return 126;
    case 331387: return 127;
    case 449630: return 128;
    case 453237: return 129;
    case 460130: return 130;
    case 496592: return 131;
    case 531391: return 132;
    case 569896: return 133;
    case 644647: return 134;
    case 820664: return 135;
    case 995799: return 136;
    case 1013876: return 137;
    case 1035704: return 138;
    case 1730838: return 139;
    case 2225374: return 140;
    case 2558745: return 141;
    case 2615250: return 142;
    case 2697911: return 143;
    case 2749581: return 144;
    case 3921036: return 145;
    case 5820227: return 146;
    case 8123389: return 147;
    case 9249285: return 148;
    case 9952381: return 149;
    case 11914487: return 150;
    case 16584453: return 151;
    case 19832806: return 152;
    case 21391598: return 153;
    case 24957356: return 154;
    case 33243541: return 155;
    case 46289359: return 156;
    case 52221103: return 157;
    case 52861278: return 158;
    case 90212943: return 159;
    case 279159975: return 160;
    case 283007001: return 161;
    case 354592978: return 162;
    case 409186486: return 163;
    case 806208706: return 164;
    case 875034593: return 165;
    case 909955567: return 166;
    case 1254110415: return 167;
    case 1472500625: return 168;
    case 1797096550: return 169;
    case 5023252207: return 170;
    case 6580915244: return 171;
    case 11914723897: return 172;
    case 12505816275: return 173;
    case 16694566907: return 174;
    case 47506864984: return 175;
    case 54061728340: return 176;
    case 60420381888: return 177;
    case 112663291408: return 178;
    case 169272911678: return 179;
    case 192500605578: return 180;
    case 200407414187: return 181;
    case 201116144714: return 182;
    case 223127668707: return 183;
    case 266764020849: return 184;
    case 364748282458: return 185;
    case 780952932570: return 186;
    case 2054220836506: return 187;
    case 2181787712401: return 188;
    case 2353825398669: return 189;
    case 2827158179520: return 190;
    case 3867731474314: return 191;
    case 4530659740624: return 192;
    case 5017284883028: return 193;
    case 6900275890036: return 194;
    case 7636450072505: return 195;
    case 7689668396648: return 196;
    case 11024784353156: return 197;
    case 15520434115847: return 198;
    case 16780129037103: return 199;
    default: return -1;
    }
}

int main(void)
{
    unsigned h = 1;
    for (unsigned i = 0; i < 1000; i++)
        h = dense(i % 310, h + i);
    printf("%u\n", h);
    static const long keys[] = { -11935000092029, -171241, 211, 16780129037103, 16780129037104, 123456789 };
    for (int i = 0; i < 6; i++)
        printf("%d\n", scattered(keys[i]));
    return 0;
}
