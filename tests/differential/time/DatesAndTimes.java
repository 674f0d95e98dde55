// java.time: arithmetic, parsing, formatting, zones with transitions, durations, periods, adjusters, clocks,
// exceptions.
import java.time.*;
import java.time.format.*;
import java.time.temporal.*;
import java.time.zone.ZoneRules;
import java.util.*;

public class DatesAndTimes {
    interface Action {
        Object run() throws Exception;
    }
    static void t(Action a) {
        try {
            System.out.println(a.run());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 29);
        System.out.println(d.plusYears(1) + " " + d.minusMonths(1) + " " + d.getDayOfWeek() + d.isLeapYear()
                           + d.lengthOfMonth() + " " + d.with(TemporalAdjusters.lastDayOfYear())
                           + d.with(TemporalAdjusters.next(DayOfWeek.MONDAY)) + " " + d.until(LocalDate.of(2030, 1, 1))
                           + ChronoUnit.DAYS.between(d, LocalDate.EPOCH) + " "
                           + d.get(WeekFields.ISO.weekOfWeekBasedYear()) + d.getLong(ChronoField.EPOCH_DAY)
                           + d.range(ChronoField.DAY_OF_MONTH) + " " + d.datesUntil(d.plusDays(3)).toList()
                           + LocalDate.ofYearDay(2023, 365) + LocalDate.MAX + LocalDate.MIN.isBefore(d));
        LocalTime lt = LocalTime.of(23, 59, 59, 999_000_000);
        System.out.println(lt.plusNanos(1_000_000) + " " + lt.truncatedTo(ChronoUnit.HOURS) + lt.toSecondOfDay()
            + LocalTime.parse("07:05").minusHours(8) + lt.isAfter(LocalTime.NOON));
        LocalDateTime ldt = LocalDateTime.of(d, lt);
        System.out.println(ldt + " " + ldt.plusSeconds(1) + " " + ldt.toLocalDate().atStartOfDay());
        for (String z : new String[] {"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC",
                                      "+05:30"}) {
            ZoneId id = ZoneId.of(z);
            ZonedDateTime gap = ZonedDateTime.of(2024, 3, 31, 2, 30, 0, 0, id),
                          overlap = ZonedDateTime.of(2024, 10, 27, 2, 30, 0, 0, id);
            ZoneRules r = id.getRules();
            System.out.println(gap + " " + overlap + " " + overlap.withLaterOffsetAtOverlap().getOffset() + " "
                               + r.isFixedOffset() + r.getTransitions().size() + " " + r.nextTransition(Instant.EPOCH)
                               + " " + gap.plusHours(24).getOffset() + gap.toInstant()
                               + r.isDaylightSavings(Instant.ofEpochSecond(1_720_000_000)));
        }
        Instant i = Instant.ofEpochSecond(1_700_000_000L, 123_456_789);
        System.out.println(i + " " + i.plus(1, ChronoUnit.DAYS) + i.toEpochMilli()
                           + Instant.parse("1969-12-31T23:59:59.5Z").getEpochSecond() + Instant.MAX
                           + Instant.EPOCH.minusNanos(1));
        Duration du = Duration.ofSeconds(93784, 5_000_000);
        System.out.println(du + " " + du.toHoursPart() + du.negated() + du.dividedBy(7) + Duration.parse("P1DT2H3M4.5S")
                           + Duration.between(lt, LocalTime.MIDNIGHT) + Period.parse("P1Y2M3W4D")
                           + Period.of(0, 15, 0).normalized() + Period.ZERO);
        System.out.println(DateTimeFormatter.ISO_WEEK_DATE.format(d) + " "
                           + DateTimeFormatter.RFC_1123_DATE_TIME.format(i.atZone(ZoneOffset.UTC)) + " "
                           + DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu, h:mm a, VV xxx, Q 'q'", Locale.US)
                                 .format(i.atZone(ZoneId.of("Asia/Tokyo")))
                           + " " + DateTimeFormatter.ofPattern("dd.MM.yy").parse("05.06.07", LocalDate::from)
                           + DateTimeFormatter.BASIC_ISO_DATE.format(d) + " "
                           + new DateTimeFormatterBuilder()
                                 .appendPattern("[uuuu-MM][MM/uuuu]")
                                 .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
                                 .toFormatter()
                                 .parse("03/2021", LocalDate::from)
                           + DateTimeFormatter.ofLocalizedDate(FormatStyle.LONG).withLocale(Locale.GERMANY).format(d));
        t(() -> LocalDate.of(2023, 2, 29));
        t(() -> LocalDate.parse("2024-13-01"));
        t(() -> LocalTime.of(24, 0));
        t(() -> LocalDate.parse("garbage"));
        t(() -> ZoneId.of("No/Where"));
        t(() -> lt.get(ChronoField.DAY_OF_WEEK));
        t(() -> d.plus(1, ChronoUnit.HOURS));
        t(() -> Instant.MAX.plusSeconds(1));
        t(() -> DateTimeFormatter.ofPattern("bb"));
        t(() -> LocalDate.from(lt));
        t(() -> Duration.parse("x"));
        t(() -> ZoneOffset.ofHours(19));
        t(() -> Year.of(2024).atDay(367));
        t(() -> DateTimeFormatter.ofPattern("HH:mm").format(d));
        t(()
              -> LocalDate.parse("31/02/2024",
                                 DateTimeFormatter.ofPattern("dd/MM/uuuu").withResolverStyle(ResolverStyle.STRICT)));
        Clock c = Clock.fixed(i, ZoneOffset.UTC);
        System.out.println(LocalDateTime.now(c) + " " + Clock.offset(c, Duration.ofDays(1)).instant()
                           + Clock.tick(c, Duration.ofHours(1)).millis() + YearMonth.now(c) + MonthDay.now(c)
                           + Year.now(c) + OffsetDateTime.now(c).withOffsetSameInstant(ZoneOffset.ofHours(-8)));
        System.out.println(java.time.chrono.JapaneseDate.of(2024, 5, 1) + " "
                           + java.time.chrono.ThaiBuddhistDate.from(d) + " " + java.time.chrono.HijrahDate.from(d)
                           + java.time.chrono.MinguoDate.from(d)
                           + java.time.chrono.IsoChronology.INSTANCE.isLeapYear(1900));
        TimeZone tz = TimeZone.getTimeZone("America/Los_Angeles");
        GregorianCalendar g = new GregorianCalendar(tz, Locale.US);
        g.clear();
        g.set(2024, Calendar.MARCH, 10, 1, 59, 59);
        g.add(Calendar.SECOND, 1);
        System.out.println(g.get(Calendar.HOUR_OF_DAY) + " " + g.getTimeInMillis() + tz.inDaylightTime(g.getTime())
            + g.getActualMaximum(Calendar.DAY_OF_MONTH) + g.get(Calendar.WEEK_OF_YEAR) + tz.getOffset(0)
            + tz.getDisplayName(false, TimeZone.SHORT, Locale.US));
        g.setLenient(false);
        g.set(Calendar.MONTH, 15);
        t(g::getTime);
        java.text.SimpleDateFormat f = new java.text.SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZ EEE MMM", Locale.US);
        f.setTimeZone(TimeZone.getTimeZone("GMT+2"));
        System.out.println(f.format(new Date(1_700_000_000_123L)));
        t(() -> f.parse("x"));
        t(() -> new java.text.SimpleDateFormat("ddXyb"));
        t(() -> {
            f.applyPattern("dd/MM/yy");
            return f.parse("15/08/99").getTime();
        });
    }
}
